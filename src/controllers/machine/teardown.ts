import { BOOTSTRAP_ACCEPTED, FORCE_DELETION, MACHINE_UUID, RESET_ACCEPTED } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { KubeObject } from '#api/meta.ts'
import { no, type Verdict, yes } from '#runtime/plan.ts'
import { wakeAt } from './pace.ts'
import type { MachinePlan } from './plan.ts'
import { statusFrom } from './status.ts'
import { isControlPlane, isWipedWhenDeleted, type Step, type World } from './world.ts'

// A machine whose disk is wiped and that has nothing else to boot from does not come back.
const GONE_AFTER_MS = 5 * 60_000
const WAY_OUT = `To let this object go without that, annotate it with ${FORCE_DELETION}=true: the machine then keeps its disks and its configuration`

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

/** It is wiped for the last object that stands for it, and for no other. */
const anothersToo: LeavingRule = (_machine, world) =>
  isAnothersToo(world) ? 'finished' : undefined

const isAnothersToo = ({ rivals }: World): boolean =>
  rivals.some(({ what, isLettingGo }) => what === 'uuid' && !isLettingGo)

/** It waits for a configuration: there is nothing of ours on it any more. */
const wipedAlready: LeavingRule = ({ metadata }, { seen }) =>
  seen.is === 'waiting' && seen.uuid === metadata.annotations?.[MACHINE_UUID]
    ? 'finished'
    : undefined

/** One machine less may be one too many for etcd. */
const partOfControlPlane: LeavingRule = (machine, { parent }) => {
  if (parent.is !== 'there' || !isControlPlane(machine)) return undefined
  const { metadata } = parent.controlPlane
  if (isLeaving(parent.controlPlane)) return undefined
  return {
    reason: 'NotSupportedYet',
    message: `taking one machine out of the control plane ${metadata.name} is not supported yet. ${WAY_OUT}`,
  }
}

/** Whoever is at the address, if it is not our machine it is not touched. */
const notOurs: LeavingRule = ({ metadata, spec }, { seen }) => {
  const ours = metadata.annotations?.[MACHINE_UUID]
  if (seen.is === 'stranger') return blocked(`cannot be reset: ${seen.message}`)
  if (!('uuid' in seen) || seen.uuid === ours) return undefined
  return blocked(
    `is not at ${spec?.endpoint}: there is ${seen.uuid} now, which is left alone`,
    ours,
  )
}

/**
 * After it was accepted, silence is what comes next; afterwards a machine without a system, and maybe
 * another one at its address.
 */
const resetUnderWay: LeavingRule = ({ metadata }, { seen }, now) => {
  const acceptedAt = Date.parse(metadata.annotations?.[RESET_ACCEPTED] ?? '')
  if (Number.isNaN(acceptedAt)) return undefined
  if (now.getTime() - acceptedAt <= GONE_AFTER_MS) {
    return { reason: 'Resetting', message: 'the machine accepted to be reset, and is on its way' }
  }
  // It answers as if nothing had been: it was not reset after all.
  const isThereStill = seen.is === 'member' && seen.uuid === metadata.annotations?.[MACHINE_UUID]
  return isThereStill ? undefined : 'finished'
}

const reset: LeavingRule = (_machine, { seen, parent }) => {
  if (seen.is === 'silent' || seen.is === 'unasked') {
    return blocked(
      seen.is === 'silent'
        ? `does not answer: ${seen.message}`
        : 'cannot be asked: its keys are not known',
    )
  }
  if (seen.is !== 'member') return blocked('cannot be reset')
  const isClusterLeaving = parent.is === 'there' && isLeaving(parent.controlPlane)
  return {
    steps: [{ do: 'reset', uuid: seen.uuid, graceful: !isClusterLeaving }],
    reason: 'Resetting',
    message: 'the machine is told to reset itself',
  }
}

/** A cluster that stays keeps the node of a machine that was wiped, until somebody takes it out. */
function nodeLeft(machine: Machine, world: World): Leaving | undefined {
  const { node, parent, areNodesKnown } = world
  if (!isWipedWhenDeleted(machine) || isAnothersToo(world)) return undefined
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
    message: `the machine is wiped, and whether its node is still there cannot be told: the Kubernetes API of ${name} does not answer. It is tried again until it does. To let this object go without that, annotate it with ${FORCE_DELETION}=true, and delete the node by hand`,
  }
}

const isLeaving = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined

const blocked = (what: string, uuid?: string): Leaving => ({
  reason: 'ResetBlocked',
  message: `the machine${uuid ? ` ${uuid}` : ''} ${what}. It is tried again until it works. ${WAY_OUT}`,
})

/** In this order: the first that speaks decides. */
export const leavingRules: readonly LeavingRule[] = [
  nothingToWipe,
  anothersToo,
  wipedAlready,
  partOfControlPlane,
  resetUnderWay,
  notOurs,
  reset,
]

/** How a machine is taken out of its cluster, by these rules. */
export const teardownBy =
  (order: readonly LeavingRule[]) =>
  (machine: Machine, world: World, now: Date): MachinePlan | 'finished' => {
    for (const rule of order) {
      const decided = rule(machine, world, now)
      const leaving = decided === 'finished' ? (nodeLeft(machine, world) ?? decided) : decided
      if (leaving === 'finished') return leaving
      if (leaving)
        return { ...planOf(machine, world, leaving), wakeAt: wakeAt(machine, 'soon', now) }
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
    conditions: { Deleting: deleting, Ready: no(reason, message) },
  }
}
