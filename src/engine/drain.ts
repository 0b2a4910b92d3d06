import type { ControlPlane } from '#api/control-plane.ts'
import type { Worker } from '#api/worker.ts'
import type { NodeSeen } from './cluster-nodes-seen.ts'
import type { PodSeen } from './node-pods.ts'

/** What a TalosMachine of a control plane says when nothing on its node is waited for, and it can leave etcd. */
export const DRAINED = 'Drained'

/** What it says when its node could not be drained, so that it stays. */
export const DRAIN_BLOCKED = 'DrainBlocked'

/** For how long a drain may take, and what becomes of what is left then. */
export type DrainPolicy = NonNullable<NonNullable<ControlPlane['spec']>['rolloutStrategy']['drain']>

const DEFAULT_POLICY: DrainPolicy = { timeoutSeconds: 600, afterTimeout: 'Stop' }

/** How the nodes of a control plane, or of a pool, are drained. */
export const drainPolicyOf = ({ spec }: ControlPlane | Worker): DrainPolicy =>
  spec?.rolloutStrategy.drain ?? DEFAULT_POLICY

/** Where a drain is. */
export type Drain =
  /** Nobody is waited for any more. Those that are left go with the machine, because the policy says so. */
  | { is: 'over'; left: readonly PodSeen[] }
  /** The node has to be cordoned first. */
  | { is: 'due' }
  /** Pods are asked to go, or told to, these next; those in `left` are waited for. */
  | {
      is: 'under way'
      evict: readonly PodSeen[]
      delete: readonly PodSeen[]
      left: readonly PodSeen[]
    }
  /** Its time is up, and nobody is to be forced: it is to be given up. */
  | { is: 'in vain'; left: readonly PodSeen[] }
  /** It was given up, and these are in its way still. */
  | { is: 'stopped'; left: readonly PodSeen[] }

interface Drained {
  node: NodeSeen
  /** Those that have to go, or what was seen of them. */
  pods: readonly PodSeen[]
  /** For whom: the uid of a TalosMachine. */
  by: string
  policy: DrainPolicy
  now: Date
}

// So many evictions are under way at once. Budgets are asked in turn anyway.
const MOST_AT_ONCE = 10
// Each attempt moves what can be moved: what was in vain is not begun anew at once.
const PAUSE_MS = 10 * 60_000

/** What is next in the drain of a node. What was seen of its pods counts only once it has the mark. */
export function drainOf({ node, pods, by, policy, now }: Drained): Drain {
  const mark = node.drain?.by === by ? node.drain : undefined
  if (!mark) return { is: 'due' }
  const { stopped } = mark
  const left = pods.filter((pod) => !hasComeBack(pod, mark.since))
  if (stopped !== undefined) {
    const blocking = left.filter(isInTheWay)
    const isRested = msSince(stopped, now) >= PAUSE_MS
    const isTriedAgain = policy.afterTimeout !== 'Stop' || (blocking.length === 0 && isRested)
    return isTriedAgain ? { is: 'due' } : { is: 'stopped', left: blocking }
  }
  if (!node.isUnschedulable) return { is: 'due' }
  if (left.length === 0) return { is: 'over', left }
  const isTimeUp = msSince(mark.since, now) >= policy.timeoutSeconds * 1_000
  return isTimeUp ? afterTimeout(left, policy, now) : inTime(left)
}

const msSince = (then: string, now: Date): number => now.getTime() - Date.parse(then)

/** Whoever bears with a cordon may be sent to the same node again: to evict it for ever is of no use. */
const hasComeBack = ({ createdAt, toleratesCordon }: PodSeen, since: string): boolean =>
  toleratesCordon && Date.parse(createdAt) >= wholeSeconds(since)

/** As Kubernetes tells when something was made. */
const wholeSeconds = (then: string): number => Math.floor(Date.parse(then) / 1_000) * 1_000

const isInTheWay = ({ heldBy, endsAt }: PodSeen): boolean =>
  heldBy.length > 0 || endsAt !== undefined

const inTime = (left: readonly PodSeen[]): Drain => {
  const asked = left.filter(({ endsAt, isHeld }) => endsAt === undefined && !isHeld)
  // Whoever may be refused does not keep the others from being asked.
  const evict = [
    ...asked.filter(({ heldBy }) => heldBy.length === 0),
    ...asked.filter(({ heldBy }) => heldBy.length > 0),
  ]
  return { is: 'under way', evict: evict.slice(0, MOST_AT_ONCE), delete: [], left }
}

function afterTimeout(left: readonly PodSeen[], policy: DrainPolicy, now: Date): Drain {
  switch (policy.afterTimeout) {
    case 'Stop':
      return { is: 'in vain', left }
    case 'Skip':
      return { is: 'over', left }
    case 'Delete': {
      const standing = left.filter(({ endsAt }) => endsAt === undefined)
      // Each has its own time to end. After that nobody knows what it waits for.
      const isOver = left.every(({ endsAt }) => endsAt !== undefined && msSince(endsAt, now) > 0)
      if (isOver) return { is: 'over', left }
      return { is: 'under way', evict: [], delete: standing.slice(0, MOST_AT_ONCE), left }
    }
  }
}

// More than these say nothing new.
const MOST_NAMED = 3

/** What keeps pods from going, in words, as far as it is known; empty if nothing does. */
export function whatHolds(pods: readonly PodSeen[]): string {
  const held = pods.filter(isInTheWay)
  const named = held.slice(0, MOST_NAMED).map(wordsFor)
  return [...named, ...(held.length > MOST_NAMED ? ['and others'] : [])].join(', ')
}

function wordsFor({ namespace, name, heldBy }: PodSeen): string {
  const pod = `pod ${namespace}/${name}`
  const [budget] = heldBy
  if (budget === undefined) return `${pod} was told to end and is still there`
  return heldBy.length === 1
    ? `PodDisruptionBudget ${namespace}/${budget} does not let ${pod} go`
    : `${pod} has more than one PodDisruptionBudget (${heldBy.join(', ')}), so that Kubernetes evicts it never`
}
