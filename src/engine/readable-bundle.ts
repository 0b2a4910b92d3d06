import type { ControlPlane } from '#api/control-plane.ts'
import { Secret } from '#api/foreign.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import type { Reader } from '#runtime/reader.ts'
import { isToBeImported } from './adoption.ts'
import { readSecrets, secretsNameOf } from './cluster-secrets.ts'
import { bundleFromConfigRef } from './cluster-secrets-bundle.ts'
import { SecretsError } from './cluster-secrets-error.ts'
import { configTextOf } from './config-ref.ts'

/**
 * The secrets of a cluster for those who only use them. Asked of the server: a cache of everybody's
 * Secrets is nothing that anybody should have.
 */
export async function readableBundle(
  controlPlane: ControlPlane,
  read: Reader,
): Promise<SecretsBundle | undefined> {
  const secret = await read.fetch(Secret, secretsNameOf(controlPlane))
  try {
    return secret ? readSecrets(secret) : await bundleToImport(controlPlane, read)
  } catch (error) {
    // The control plane says what is wrong with them; here they are as good as not there.
    if (error instanceof SecretsError) return undefined
    throw error
  }
}

/** Those of a cluster that is to be taken over become its secrets when it is: until then they are in its configuration. */
async function bundleToImport(
  controlPlane: ControlPlane,
  read: Reader,
): Promise<SecretsBundle | undefined> {
  if (!isToBeImported(controlPlane)) return undefined
  const text = await configTextOf(controlPlane.spec, read)
  const talosVersion = controlPlane.spec?.version
  return text === undefined
    ? undefined
    : bundleFromConfigRef(text, { where: 'spec.configRef', talosVersion })
}
