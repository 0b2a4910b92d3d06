import type { CertificateAndKey } from '#machineconfig/secrets/bundle.ts'
import type { Machine } from '#simulator/machine/machine.ts'
import { type ApiKeys, apiKeysOf } from '#simulator/services/config-keys.ts'
import type { Directory, Endpoint } from './endpoint.ts'

/** The other machines that have the same authority: those of one cluster. */
export function neighboursOf(machine: Machine, directory: Directory): readonly Endpoint[] {
  const own = apiKeysOf(machine.config)
  if (!own) return []
  return [...directory.endpoints()].filter(
    (other) => other.machine !== machine && trusts(apiKeysOf(other.machine.config), own),
  )
}

/** Whether a machine lets in those that another one's authority has certified. */
export const trusts = (keys: ApiKeys | undefined, caller: ApiKeys): boolean =>
  keys?.accepted.includes(caller.authority) ?? false

/** Who signs the certificate of a machine's API: itself, or for a worker some control plane. */
export function signerFor(
  machine: Machine,
  keys: ApiKeys,
  directory: Directory,
): CertificateAndKey | undefined {
  if (keys.signer) return keys.signer
  for (const { machine: other } of directory.endpoints()) {
    const found = apiKeysOf(other.config)
    if (other !== machine && found?.authority === keys.authority && found.signer) {
      return found.signer
    }
  }
  return undefined
}
