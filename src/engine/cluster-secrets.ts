import type { ControlPlane } from '#api/control-plane.ts'
import { CLUSTER_ID, SECRETS_IN_USE } from '#api/labels.ts'
import type { Secret } from '#base/secret.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { writeBundle } from '#machineconfig/secrets/bundle-file.ts'
import { bundleInText } from './cluster-secrets-bundle.ts'
import { draftOf, type SecretDraft } from './cluster-secrets-draft.ts'
import { type SecretObject, textIn, wordsForEntry } from './cluster-secrets-entry.ts'
import { RESTORE, unusable } from './cluster-secrets-error.ts'
import { RecentlyUsed } from './recently-used.ts'

const KEY = 'secrets.yaml'

/** The name of the Secret that holds what makes the cluster itself. */
export const secretsNameOf = ({ metadata, spec }: ControlPlane): string =>
  spec?.secretsRef?.name || `${metadata.name}-secrets`

// Reading one takes milliseconds, and each look at a machine asks for one. What has this uid and this
// version always says the same.
const known = new RecentlyUsed<SecretsBundle>(2_000)

/** The bundle in that Secret. Throws a SecretsError that names Secret, key and what is wrong, and no value. */
export function readSecrets(secret: SecretObject): SecretsBundle {
  const { uid, resourceVersion } = secret.metadata
  if (!uid || !resourceVersion) return readAnew(secret)
  const id = `${uid} ${resourceVersion}`
  const bundle = known.get(id) ?? readAnew(secret)
  known.set(id, bundle)
  return bundle
}

function readAnew(secret: SecretObject): SecretsBundle {
  const text = textIn(secret, KEY)
  const where = wordsForEntry(secret, KEY)
  if (!text) throw unusable(`${where} is missing or empty`, RESTORE)
  return bundleInText(text, where)
}

/**
 * That Secret, to be created and never written again. It has no owner: it outlives the control plane, and
 * so does access to the machines; and it is held for as long as that needs it. `labels` are those of what is made on behalf of the control plane.
 */
export const secretsDraft = (
  controlPlane: ControlPlane,
  bundle: SecretsBundle,
  labels: Record<string, string>,
): Secret<SecretDraft> =>
  draftOf({
    name: secretsNameOf(controlPlane),
    labels,
    annotations: { [CLUSTER_ID]: bundle.cluster.id },
    finalizers: [SECRETS_IN_USE],
    immutable: true,
    entries: { [KEY]: writeBundle(bundle) },
  })

/** The same for a control plane that is not there yet, and that will hold it when it is. */
export const looseSecretsDraft = (
  { name, labels }: { name: string; labels: Record<string, string> },
  bundle: SecretsBundle,
): Secret<SecretDraft> =>
  draftOf({
    ...{ name, labels, annotations: { [CLUSTER_ID]: bundle.cluster.id }, immutable: true },
    entries: { [KEY]: writeBundle(bundle) },
  })
