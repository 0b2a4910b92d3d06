import { MADE_FOR, SECRETS_IN_USE } from '#api/labels.ts'
import type { Patch } from '#kube/client.ts'
import type { SecretObject } from './cluster-secrets-entry.ts'

/**
 * How the Secret with a cluster's secrets is kept while there is a control plane that needs it, as Kubernetes
 * keeps volumes that are in use: whoever deletes it, or the whole namespace, takes the keys of machines that
 * are still to be reset. `condemned`: somebody deleted it, and only the hold keeps it.
 */
export type Hold = 'absent' | 'loose' | 'held' | 'condemned'

/** As much of the Secret as the hold is about. */
export type HeldSecret = Pick<SecretObject, 'metadata'>

export function holdOn(secret: HeldSecret | undefined): Hold {
  if (!secret) return 'absent'
  const { deletionTimestamp, finalizers = [] } = secret.metadata
  if (!finalizers.includes(SECRETS_IN_USE)) return deletionTimestamp ? 'absent' : 'loose'
  return deletionTimestamp ? 'condemned' : 'held'
}

interface Holding {
  isHeld: boolean
  /** The uid of whom they are made for from now on. Left out: of nobody who is there. */
  madeFor?: string | undefined
}

/** The change that puts a hold on the Secret, or takes it away: of its metadata alone, and of this version of it. */
export function holdPatch({ metadata }: HeldSecret, { isHeld, madeFor }: Holding): Patch {
  const others = (metadata.finalizers ?? []).filter((one) => one !== SECRETS_IN_USE)
  const { resourceVersion } = metadata
  const finalizers = isHeld ? [...others, SECRETS_IN_USE] : others
  const annotations = { [MADE_FOR]: madeFor ?? null }
  return { type: 'merge', body: { metadata: { resourceVersion, finalizers, annotations } } }
}
