import type { ControlPlane } from '#api/control-plane.ts'
import { CLUSTER_ID, MADE_FOR, SECRETS_IN_USE } from '#api/labels.ts'
import type { Secret } from '#base/secret.ts'
import type { Patch } from '#kube/client.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { writeBundle } from '#machineconfig/secrets/bundle-file.ts'
import { bundleInText } from './cluster-secrets-bundle.ts'
import { draftOf, type SecretDraft } from './cluster-secrets-draft.ts'
import { type SecretObject, textIn, wordsForEntry } from './cluster-secrets-entry.ts'
import { RESTORE, unusable } from './cluster-secrets-error.ts'
import { type HeldSecret, holdOn, holdPatch } from './cluster-secrets-hold.ts'
import { RecentlyUsed } from './recently-used.ts'

const KEY = 'secrets.yaml'

/** The name of the Secret that holds what makes the cluster itself. */
export const secretsNameOf = ({ metadata, spec }: ControlPlane): string =>
  spec?.secretsRef?.name || `${metadata.name}-secrets`

// Reading one takes milliseconds, and each look at a machine asks for one. What has this uid and this
// version always says the same; of each the last one counts.
const known = new RecentlyUsed<{ version: string; bundle: SecretsBundle }>(2_000)

/** The bundle in that Secret. Throws a SecretsError that names Secret, key and what is wrong, and no value. */
export function readSecrets(secret: SecretObject): SecretsBundle {
  const { uid, resourceVersion } = secret.metadata
  if (!uid || !resourceVersion) return readAnew(secret)
  const last = known.get(uid)
  if (last?.version === resourceVersion) return last.bundle
  const bundle = readAnew(secret)
  known.set(uid, { version: resourceVersion, bundle })
  return bundle
}

function readAnew(secret: SecretObject): SecretsBundle {
  const text = textIn(secret, KEY)
  const where = wordsForEntry(secret, KEY)
  if (!text) throw unusable(`${where} is missing or empty`, RESTORE)
  return bundleInText(text, where)
}

interface Marks {
  /** Those of what is made on behalf of somebody. */
  labels?: Record<string, string>
  /** The uid of whom they are made for. Left out: they were brought along, and may be in use. */
  madeFor?: string | undefined
}

/**
 * That Secret, to be created and never written again. It has no owner: it outlives the control plane, and
 * so does access to the machines; and it is held for as long as that needs it.
 */
export const secretsDraft = (
  controlPlane: ControlPlane,
  bundle: SecretsBundle,
  { labels = {}, madeFor }: Marks,
): Secret<SecretDraft> =>
  draftOf({
    name: secretsNameOf(controlPlane),
    labels,
    annotations: annotationsOf(bundle, madeFor),
    finalizers: [SECRETS_IN_USE],
    immutable: true,
    entries: { [KEY]: writeBundle(bundle) },
  })

/** The same for a control plane that is not there yet, and that will hold it when it is. */
export const looseSecretsDraft = (
  { name, labels = {}, madeFor }: Marks & { name: string },
  bundle: SecretsBundle,
): Secret<SecretDraft> =>
  draftOf({
    ...{ name, labels, annotations: annotationsOf(bundle, madeFor), immutable: true },
    entries: { [KEY]: writeBundle(bundle) },
  })

const annotationsOf = ({ cluster }: SecretsBundle, madeFor: string | undefined) => ({
  [CLUSTER_ID]: cluster.id,
  ...(madeFor !== undefined && { [MADE_FOR]: madeFor }),
})

/**
 * Whether no cluster can have begun with these secrets: they were made for this control plane, or for what owns it. The
 * latter may make one anew, so that it says so only as long as none has taken them into use.
 */
export function areMadeFor(
  { metadata: { uid, ownerReferences = [] } }: ControlPlane,
  secret: HeldSecret | undefined,
): boolean {
  const madeFor = secret?.metadata.annotations?.[MADE_FOR]
  if (madeFor === undefined || madeFor === uid) return madeFor !== undefined
  return holdOn(secret) === 'loose' && ownerReferences.some((one) => one.uid === madeFor)
}

/** The change that puts the hold of this control plane on the Secret: whoever comes after knows that it was in use. */
export const takingPatch = (controlPlane: ControlPlane, secret: HeldSecret): Patch =>
  holdPatch(secret, {
    isHeld: true,
    madeFor: areMadeFor(controlPlane, secret) ? controlPlane.metadata.uid : undefined,
  })
