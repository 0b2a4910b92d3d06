import type { ControlPlane } from '#api/control-plane.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { EXPIRES } from '#api/labels.ts'
import type { OwnerReference } from '#api/meta.ts'
import type { Secret } from '#base/secret.ts'
import type { CertificateAndKey, SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { draftOf, type SecretDraft } from './cluster-secrets-draft.ts'
import { type SecretObject, textIn } from './cluster-secrets-entry.ts'
import { endOf, isWithin, type Term, termOf } from './delivered-certificate.ts'
import { RecentlyUsed } from './recently-used.ts'

/** A file for users, in a Secret that belongs to the control plane, with a certificate that ends. */
export interface Delivery {
  controlPlane: ControlPlane
  bundle: SecretsBundle
  now: Date
}

/** What one of those files says. */
export interface DeliveredFile {
  /** The authority of the servers, PEM. */
  authority: string
  client: CertificateAndKey
  /** Where it leads: the same text for the same places. */
  places: string
}

interface FileOf {
  what: 'kubeconfig' | 'talosconfig'
  key: string
  /** Throws when a text is no such file. */
  read: (text: Secret<string>) => DeliveredFile
}

/**
 * The name of the Secret: after the first owner of the control plane, or after itself if it has none. A KubernetesCluster
 * may be called otherwise than its object, and its control plane is called as it is.
 */
export const deliveredNameOf = (
  { metadata }: ControlPlane,
  what: 'kubeconfig' | 'talosconfig',
): string => {
  const [owner] = metadata.ownerReferences ?? []
  const isNamedSo = owner === undefined || owner.kind === KubernetesCluster.kind
  return `${isNamedSo ? metadata.name : owner.name}-${what}`
}

/** The Secret with this file. */
export const deliveredSecret = (
  { what, key, read }: FileOf,
  { controlPlane, owner }: { controlPlane: ControlPlane; owner: OwnerReference },
  text: Secret<string>,
): Secret<SecretDraft> =>
  draftOf({
    name: deliveredNameOf(controlPlane, what),
    annotations: { [EXPIRES]: endOf(read(text).client.certificate) },
    owner,
    entries: { [key]: text },
  })

/** What a file has to say. */
interface Wanted {
  /** Of who signs for servers and clients, PEM. */
  authority: string
  places: string
  now: Date
}

// Keys take milliseconds to read, and each pass asks. What has this uid and this version always says the same.
const known = new RecentlyUsed<Term & Pick<Wanted, 'authority' | 'places'>>(4_000)

/**
 * Whether the Secret can stay as it is: it can be read, is of this authority and for these places, says
 * when it ends, and is before the half of its life.
 */
export function isDelivered(
  file: FileOf,
  secret: SecretObject | undefined,
  wanted: Wanted,
): boolean {
  const term = secret && knownTerm(file, secret, wanted)
  return term !== undefined && isWithin(term, wanted.now)
}

/** How long it can stay, by what it holds. */
function knownTerm(file: FileOf, secret: SecretObject, wanted: Wanted): Term | undefined {
  const { uid, resourceVersion } = secret.metadata
  if (!uid || !resourceVersion) return readTerm(file, secret, wanted)
  const { authority, places } = wanted
  const id = `${uid} ${resourceVersion} ${file.key}`
  const before = known.get(id)
  if (before?.authority === authority && before.places === places) return before
  const term = readTerm(file, secret, wanted)
  if (term) known.set(id, { ...term, authority, places })
  return term
}

function readTerm(
  { key, read }: FileOf,
  secret: SecretObject,
  { authority, places }: Wanted,
): Term | undefined {
  try {
    const text = textIn(secret, key)
    if (!text) return undefined
    const file = read(text)
    const isWanted =
      file.places === places &&
      file.authority === authority &&
      secret.metadata.annotations?.[EXPIRES] === endOf(file.client.certificate)
    return isWanted ? termOf(file.client, authority) : undefined
  } catch {
    // Whatever it is, somebody else put it there, and a new one mends it.
    return undefined
  }
}
