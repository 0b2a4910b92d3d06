import {
  BOOTSTRAP_ACCEPTED,
  ETCD_FORGOTTEN,
  ETCD_LEFT,
  FORCE_DELETION,
  MACHINE_UUID,
  MAY_GO,
  RESET_ACCEPTED,
} from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { KubeObject } from '#api/meta.ts'
import { DRAIN_BLOCKED, DRAINED } from '#engine/drain.ts'
import { type Farewell, no, type Verdict, yes } from '#runtime/plan.ts'
import { draining, isDrainedFirst } from './draining.ts'
import { farewellTo } from './farewell.ts'
import { soon } from './pace.ts'
import type { MachinePlan } from './plan.ts'
import { reachability } from './reachability.ts'
import { GONE_AFTER_MS, hasAcceptedReset, isResetUnderWay } from './reset-accepted.ts'
import { keeperAmong } from './rivals.ts'
import { statusFrom } from './status.ts'
import { isControlPlane, isWipedWhenDeleted, type Step, type World } from './world.ts'

// How long a machine may take from accepting its configuration to leaving maintenance mode.
const WATCHED_FOR_MS = 60_000

/** By name: what is said of a machine is said on by the pool and the cluster, which would go as a whole. */
const force = ({ metadata }: Machine): string =>
  `annotate TalosMachine ${metadata.name} with ${FORCE_DELETION}=true`

const wayOut = (machine: Machine): string =>
  `To let it go without that, ${force(machine)}: the machine then keeps its disks and its configuration`

/** What is left to do, or what it waits for. */
interface Leaving {
  steps?: Step[]
  reason: string
  message: string
}

type LeavingRule = (machine: Machine, world: World, now: Date) => Leaving | 'finished' | undefined

/** Only what this object configured is ever wiped, and nothing if the user says so. */
const nothingToWipe: LeavingRule = (machine, { parent }) =>
  parent.is === 'missing' || !isWipedWhenDeleted(machine) ? 'finished' : undefined

/** A cache that is behind says nothing of what is to become of a machine. */
const oldView: LeavingRule = (machine, { parent, isOld }) => {
  if (parent.is !== 'unseen' && !isOld) return undefined
  const what =
    parent.is === 'unseen'
      ? `${parent.what} is there`
      : 'this object, or what it belongs to, was changed'
  return {
    reason: 'WaitingForView',
    message: `${what}, and the operator does not see that yet: nothing is done to the machine before it does. ${wayOut(machine)}`,
  }
}

/** What is above it may say so too, and it did not get here: unless it is being wiped already, that holds. */
const keptFromAbove: LeavingRule = (machine, { keptBy, seen }, now) => {
  const isBeingReset = seen.is === 'member' && seen.stage === 'resetting'
  if (keptBy === undefined || isBeingReset || isResetUnderWay(machine, seen, now)) return undefined
  return 'finished'
}

/** It is wiped for the last object that stands for it, and for no other. */
const anothersToo: LeavingRule = (_machine, { rivals }) =>
  keeperAmong(rivals) ? 'finished' : undefined

/**
 * It waits for a configuration: there is nothing of ours on it any more. Unless it was given one a moment
 * ago, of which nobody knows for sure: then it goes on to install itself, and would be left behind.
 */
const wipedAlready: LeavingRule = (machine, { seen }, now) => {
  const { metadata, status } = machine
  const { annotations = {} } = metadata
  if (seen.is !== 'waiting' || seen.uuid !== annotations[MACHINE_UUID]) return undefined
  if (annotations[RESET_ACCEPTED] !== undefined) return 'finished'
  const deleting = status?.conditions?.find(({ type }) => type === 'Deleting')
  const watchedMs = now.getTime() - Date.parse(deleting?.lastTransitionTime ?? '')
  return watchedMs >= WATCHED_FOR_MS
    ? 'finished'
    : {
        reason: 'WatchingMachine',
        message: `the machine waits for a configuration, and may have been given one just before: for a minute it is watched whether it begins to install itself. ${wayOut(machine)}`,
      }
}

/** What runs on it goes elsewhere first, as far as there is somebody to ask. */
const drainFirst: LeavingRule = (machine, world, now) => {
  const found = isDrainedFirst(machine, world) ? draining(machine, world, now) : undefined
  return found && { ...found, message: `${found.message}. ${wayOut(machine)}` }
}

/** One machine less may be one too many for etcd: whether it can go is for its control plane to say, if that stays. */
const etcdFirst: LeavingRule = (machine, { parent, node, areNodesKnown }) => {
  if (parent.is !== 'there' || !isControlPlane(machine)) return undefined
  const { annotations = {}, uid } = machine.metadata
  if (annotations[ETCD_LEFT] !== undefined || isLeaving(parent.controlPlane)) return undefined
  const what = `TalosControlPlane ${parent.controlPlane.metadata.name} takes the machine out of etcd before it is reset; its condition Ready says what that waits for. ${wayOut(machine)}`
  if (annotations[MAY_GO] !== undefined) {
    return { reason: DRAINED, message: `nothing is left on its node that is waited for. ${what}` }
  }
  // It was to go, and has to stay after all.
  const isCordoned = areNodesKnown && node?.drain !== undefined && node.drain.by === uid
  return {
    steps: isCordoned ? [{ do: 'uncordon', node: node.name, uid: node.uid }] : [],
    ...{ reason: 'LeavingEtcd', message: what },
  }
}

/** While there are workers, a cluster is needed to reset them. */
const workersFirst: LeavingRule = (machine, { parent }) => {
  if (parent.is !== 'there' || !isControlPlane(machine)) return undefined
  const { remaining = [] } = parent
  if (remaining.length === 0 || !isLeaving(parent.controlPlane)) return undefined
  return {
    reason: 'WorkersRemain',
    message: `the workers of its cluster go first: TalosWorker ${remaining.join(', ')} is still there. ${wayOut(machine)}`,
  }
}

/** A cluster that stays does not keep the node of a machine that was told to go and is off. */
const nodeOfDead: LeavingRule = (machine, { seen, node, parent }, now) => {
  if (seen.is !== 'silent' || parent.is !== 'there' || isLeaving(parent.controlPlane))
    return undefined
  const reachable = machine.status?.conditions?.find(({ type }) => type === 'Reachable')
  const silentMs = now.getTime() - Date.parse(reachable?.lastTransitionTime ?? '')
  const isDead = reachable?.status !== 'True' && silentMs >= GONE_AFTER_MS
  if (!isDead || !node?.uid || node.ready) return undefined
  return {
    steps: [{ do: 'deleteNode', node: node.name, uid: node.uid }],
    reason: 'RemovingNode',
    message: `the machine does not answer, and its node ${node.name} is taken out of the cluster`,
  }
}

/** Whoever is at the address, if it is not our machine it is not touched. */
const notOurs: LeavingRule = (machine, { seen }) => {
  const ours = machine.metadata.annotations?.[MACHINE_UUID]
  if (seen.is === 'stranger') return blocked(machine, `cannot be reset: ${seen.message}`)
  if (!('uuid' in seen) || seen.uuid === ours) return undefined
  return blocked(
    machine,
    `is ${ours}, and at ${machine.spec?.endpoint} there is ${seen.uuid} now, which is left alone`,
  )
}

/**
 * After it was accepted, silence is what comes next; afterwards a machine without a system, and maybe
 * another one at its address. Most that were wiped have nothing else to boot from, so nobody waits for them for ever.
 */
const resetUnderWay: LeavingRule = (machine, { seen, node, areNodesKnown }, now) => {
  if (!hasAcceptedReset(machine)) return undefined
  if (isResetUnderWay(machine, seen, now)) {
    return { reason: 'Resetting', message: 'the machine accepted to be reset, and is on its way' }
  }
  // It answers as if nothing had been: it was not reset after all.
  const ours = machine.metadata.annotations?.[MACHINE_UUID]
  if (seen.is === 'member' && seen.uuid === ours) return undefined
  return seen.is !== 'unasked' && areNodesKnown && node?.ready
    ? blocked(
        machine,
        `accepted to be reset and cannot be seen since, and its node ${node.name} is ready all the same: it was not wiped`,
      )
    : 'finished'
}

const reset: LeavingRule = (machine, { seen, parent }) => {
  if (seen.is === 'silent' || seen.is === 'unasked') {
    return blocked(
      machine,
      seen.is === 'silent'
        ? `does not answer: ${seen.message}`
        : 'cannot be asked: its keys are not known',
    )
  }
  if (seen.is !== 'member') return blocked(machine, 'cannot be reset')
  // Somebody told it and did not hear that it was accepted. Told again it would begin once more.
  if (seen.stage === 'resetting') {
    return { reason: 'Resetting', message: `the machine resets itself. ${wayOut(machine)}` }
  }
  const isClusterLeaving = parent.is === 'there' && isLeaving(parent.controlPlane)
  // Nobody lets it out of an etcd that is no more, and Talos would not go on before that.
  const isForgotten =
    seen.etcdMember !== undefined &&
    seen.etcdMember.id === machine.metadata.annotations?.[ETCD_FORGOTTEN]
  const graceful = !isClusterLeaving && !isForgotten
  return {
    steps: [{ do: 'reset', uuid: seen.uuid, graceful }],
    reason: 'Resetting',
    message: 'the machine is told to reset itself',
  }
}

/** A cluster that stays keeps the node of a machine that was wiped, until somebody takes it out. */
function nodeLeft(machine: Machine, world: World): Leaving | undefined {
  const { node, parent, areNodesKnown, keptBy } = world
  if (!isWipedWhenDeleted(machine) || keptBy !== undefined) return undefined
  if (keeperAmong(world.rivals)) return undefined
  if (parent.is !== 'there' || isLeaving(parent.controlPlane)) return undefined
  const reason = 'RemovingNode'
  if (node?.uid) {
    return {
      steps: [{ do: 'deleteNode', node: node.name, uid: node.uid }],
      reason,
      message: `the machine is wiped, and its node ${node.name} is taken out of the cluster`,
    }
  }
  const hasBegun = parent.controlPlane.metadata.annotations?.[BOOTSTRAP_ACCEPTED] !== undefined
  if (areNodesKnown || !hasBegun) return undefined
  const { name } = parent.controlPlane.metadata
  return {
    reason,
    message: `the machine is wiped, and whether its node is still there cannot be told: the Kubernetes API of ${name} does not answer. It is tried again until it does. To let it go without that, ${force(machine)}, and delete the node by hand`,
  }
}

const isLeaving = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined

const blocked = (machine: Machine, what: string): Leaving => ({
  reason: RESET_BLOCKED,
  message: `the machine ${what}. It is tried again until it works. ${wayOut(machine)}`,
})

const RESET_BLOCKED = 'ResetBlocked'

/** What only somebody else can help with, and is told when it comes to that. */
const BLOCKED: readonly string[] = [RESET_BLOCKED, DRAIN_BLOCKED]

const isSaidAlready = ({ status }: Machine, blocked: string): boolean =>
  (status?.conditions ?? []).some(({ type, reason }) => type === 'Deleting' && reason === blocked)

/** In this order: the first that speaks decides. */
export const leavingRules: readonly LeavingRule[] = [
  nothingToWipe,
  oldView,
  keptFromAbove,
  anothersToo,
  drainFirst,
  etcdFirst,
  wipedAlready,
  workersFirst,
  resetUnderWay,
  nodeOfDead,
  notOurs,
  reset,
]

/** How a machine is taken out of its cluster, by these rules. */
export const teardownBy =
  (order: readonly LeavingRule[]) =>
  (machine: Machine, world: World, now: Date): MachinePlan | Farewell => {
    for (const rule of order) {
      const decided = rule(machine, world, now)
      const leaving = decided === 'finished' ? (nodeLeft(machine, world) ?? decided) : decided
      if (leaving === 'finished') return { finished: true, notices: farewellTo(machine, world) }
      if (leaving) return { ...planOf(machine, world, leaving), wakeAt: soon(machine, now) }
    }
    throw new Error('no rule speaks of this machine')
  }

export const teardown = teardownBy(leavingRules)

function planOf(
  machine: Machine,
  { seen }: World,
  { steps = [], reason, message }: Leaving,
): MachinePlan {
  const deleting: Verdict = yes(reason, message)
  return {
    steps,
    // Its node may be known by that name alone.
    status: { hostname: machine.status?.hostname, ...statusFrom(machine, seen) },
    conditions: {
      Deleting: deleting,
      Ready: no(reason, message),
      Reachable: reachability(machine, seen),
    },
    notices:
      BLOCKED.includes(reason) && !isSaidAlready(machine, reason)
        ? [{ type: 'Warning', reason, message, hasHappened: true }]
        : [],
  }
}
