import { fieldsAt, textAt } from '#apiserver/objects.ts'
import type { Store } from '#apiserver/store/store.ts'
import { objectIn } from '#apiserver/stored-object.ts'
import type { Clock } from '#base/clock.ts'
import type { Claimed, Reference } from './account-claims.ts'
import { userNameOf } from './account-name.ts'
import { isSameSecret } from './same-secret.ts'

/** Clocks differ: by so much a token may be used too early or too late. */
export const LEEWAY_SECONDS = 60

interface World {
  store: Store
  clock: Clock
}

type Bound = Claimed['bound'][number]

/** Why a token that was once good is no longer: its account, or what it is bound to, is gone. */
export function objectProblem(claimed: Claimed, world: World): string | undefined {
  return accountProblem(claimed, world) ?? firstBoundProblem(claimed, world)
}

/** Why a token that lies in a Secret is not good: the Secret is gone, or holds another one. */
export function holderProblem(
  { namespace, heldBy }: Claimed,
  token: string,
  { store }: World,
): string | undefined {
  if (heldBy === undefined) return undefined
  const entry = store.get(`/secrets/${namespace}/${heldBy}`)
  const secret = entry && objectIn(entry)
  if (!secret || textAt(fieldsAt(secret, 'metadata'), 'deletionTimestamp')) {
    return 'Token has been invalidated'
  }
  const kept = Buffer.from(textAt(fieldsAt(secret, 'data'), 'token') ?? '', 'base64')
  return isSameSecret(kept.toString(), token) ? undefined : "Token does not match server's copy"
}

/** Where the objects are that a token depends on. */
export const keysOf = ({ namespace, name, bound, heldBy }: Claimed): string[] => [
  `/serviceaccounts/${namespace}/${name}`,
  ...bound.map((one) => keyOfBound(namespace, one)),
  ...(heldBy === undefined ? [] : [`/secrets/${namespace}/${heldBy}`]),
]

function accountProblem(claimed: Claimed, world: World): string | undefined {
  const { namespace, name, uid, subject } = claimed
  if (subject !== userNameOf(claimed)) return 'sub claim is invalid'
  const account = find(`/serviceaccounts/${namespace}/${name}`, world)
  if (!account) return `serviceaccounts "${name}" not found`
  if (account.uid !== uid) {
    return `service account UID (${account.uid}) does not match claim (${uid})`
  }
  return account.isDeleted ? `service account ${namespace}/${name} has been deleted` : undefined
}

function firstBoundProblem({ namespace, bound }: Claimed, world: World): string | undefined {
  const isOfPod = bound.some(({ kind }) => kind === 'pod')
  for (const one of bound) {
    // With a pod, the node only tells where that ran.
    const isChecked = one.kind !== 'node' || !isOfPod
    const problem = isChecked && boundProblem(one, find(keyOfBound(namespace, one), world))
    if (problem) return problem
  }
  return undefined
}

function boundProblem({ kind, ref }: Bound, found: Found | undefined): string | undefined {
  if (!found || found.isDeleted) return 'service account token has been invalidated'
  if (found.uid === ref.uid) return undefined
  return `${kind} UID (${found.uid}) does not match service account ${kind} ref claim (${ref.uid})`
}

const PLURALS = { pod: 'pods', secret: 'secrets', node: 'nodes' } as const

const keyOfBound = (namespace: string, { kind, ref }: { kind: Bound['kind']; ref: Reference }) =>
  kind === 'node' ? `/nodes/${ref.name}` : `/${PLURALS[kind]}/${namespace}/${ref.name}`

interface Found {
  uid: string
  isDeleted: boolean
}

function find(key: string, { store, clock }: World): Found | undefined {
  const entry = store.get(key)
  if (!entry) return undefined
  const metadata = fieldsAt(objectIn(entry), 'metadata')
  const deletedAt = Date.parse(textAt(metadata, 'deletionTimestamp') ?? '')
  const isDeleted = deletedAt < clock.now().getTime() - LEEWAY_SECONDS * 1000
  return { uid: textAt(metadata, 'uid') ?? '', isDeleted }
}
