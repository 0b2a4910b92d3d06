import { BOOTSTRAP_ACCEPTED, ETCD_LEFT, MACHINE_UUID, MAY_GO, RESET_ACCEPTED } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { NodeSeen } from '#engine/cluster-nodes-seen.ts'
import { DRAIN_BLOCKED, type Drain, drainOf, drainPolicyOf, whatHolds } from '#engine/drain.ts'
import type { PodSeen } from '#engine/node-pods.ts'
import { isControlPlane, isWipedWhenDeleted, type Parent, type Step, type World } from './world.ts'

/** What has to be done, or waited for, before a machine may be taken down. */
interface Draining {
  steps?: Step[]
  reason: 'Draining' | typeof DRAIN_BLOCKED
  /** Without what else can be done about it. */
  message: string
}

/** Whether a machine that goes is drained first: it answers, nobody told it to reset itself, and its cluster stays. */
export const isDrainedFirst = (
  machine: Machine,
  { parent, seen }: Pick<World, 'parent' | 'seen'>,
): boolean => {
  const { annotations = {}, deletionTimestamp } = machine.metadata
  return (
    deletionTimestamp !== undefined &&
    isWipedWhenDeleted(machine) &&
    annotations[RESET_ACCEPTED] === undefined &&
    parent.is === 'there' &&
    !parent.isClusterLeaving &&
    (!isControlPlane(machine) || mayLeave(machine)) &&
    seen.is === 'member' &&
    seen.uuid === annotations[MACHINE_UUID] &&
    seen.stage !== 'resetting'
  )
}

/** Whether its control plane lets it go. Until then it may have to stay, and keeps its pods. */
const mayLeave = ({ metadata: { annotations = {} } }: Machine): boolean =>
  annotations[MAY_GO] !== undefined || annotations[ETCD_LEFT] !== undefined

/**
 * How the node of a machine is emptied, whatever the machine is taken down for. Undefined: nothing has to be waited for. Pods
 * of a node that is not ready are not: nobody is there who would end them.
 */
export function draining(machine: Machine, world: World, now: Date): Draining | undefined {
  const { parent, node, areNodesKnown } = world
  if (parent.is !== 'there') return undefined
  // A cluster that never began has neither nodes nor pods.
  const hasBegun = parent.controlPlane.metadata.annotations?.[BOOTSTRAP_ACCEPTED] !== undefined
  if (!areNodesKnown && hasBegun) return withoutApi(parent, world, now)
  if (!areNodesKnown || !node?.uid || !node.ready) return undefined
  const by = machine.metadata.uid ?? ''
  const pods = podsIn(world, by)
  if ('unknown' in pods) return waiting(`its pods cannot be told: ${pods.unknown}`)
  const policy = drainPolicyOf(ownerIn(parent))
  return stepIn(drainOf({ node, pods: pods.known, by, policy, now }), node, parent)
}

/** Pods cannot be asked to go by an API that is away; and what the machine is taken down for may be what brings it back. */
function withoutApi(parent: Known, { apiSilentSince }: World, now: Date): Draining | undefined {
  const { timeoutSeconds, afterTimeout } = drainPolicyOf(ownerIn(parent))
  const silentMs = apiSilentSince ? now.getTime() - apiSilentSince.getTime() : 0
  if (afterTimeout !== 'Stop' && silentMs >= timeoutSeconds * 1_000) return undefined
  const { kind, metadata } = ownerIn(parent)
  const found = waiting(
    `the Kubernetes API of ${parent.controlPlane.metadata.name} does not answer`,
  )
  const otherwise = `. To take the machine down without it, ${timeoutSeconds} seconds after it fell silent, let rolloutStrategy.drain.afterTimeout of ${kind} ${metadata.name} be Skip`
  return afterTimeout === 'Stop' ? { ...found, message: `${found.message}${otherwise}` } : found
}

const ownerIn = ({ worker, controlPlane }: Known) => worker ?? controlPlane

/** Before its node has the mark they are not asked for, and do not matter. */
function podsIn(
  { node, pods }: World,
  by: string,
): { known: readonly PodSeen[] } | { unknown: string } {
  if (pods.is === 'known') return { known: pods.pods }
  if (node?.drain?.by !== by) return { known: [] }
  return { unknown: pods.is === 'unknown' ? pods.message : 'nobody asked for them' }
}

const waiting = (why: string): Draining => ({
  reason: 'Draining',
  message: `its node is to be drained, and ${why}. It is tried again until it can be`,
})

type Known = Extract<Parent, { is: 'there' }>

function stepIn(drain: Drain, node: NodeSeen, parent: Known): Draining | undefined {
  const at = { node: node.name, uid: node.uid }
  const begun = `node ${node.name} is drained, so that its pods go elsewhere before the machine is taken down`
  switch (drain.is) {
    case 'over':
      return undefined
    case 'due':
      return { steps: [{ do: 'cordon', ...at }], reason: 'Draining', message: begun }
    case 'under way':
      return {
        steps: [
          ...podSteps('evict', node, drain.evict),
          ...podSteps('deletePods', node, drain.delete),
        ],
        reason: 'Draining',
        message: [begun, whatHolds(drain.left)].filter(Boolean).join('. At present '),
      }
    case 'in vain':
      return { steps: [{ do: 'giveUpDrain', ...at }], ...blocked(node, drain.left, parent) }
    case 'stopped':
      return blocked(node, drain.left, parent)
  }
}

function podSteps(
  what: 'evict' | 'deletePods',
  { name }: NodeSeen,
  pods: readonly PodSeen[],
): Step[] {
  if (pods.length === 0) return []
  const refs = pods.map((pod) => ({ namespace: pod.namespace, name: pod.name, uid: pod.uid }))
  return [{ do: what, node: name, pods: refs }]
}

function blocked(node: NodeSeen, left: readonly PodSeen[], parent: Known): Draining {
  const own = ownerIn(parent)
  const why = whatHolds(left) || 'its pods were not gone in time'
  return {
    reason: DRAIN_BLOCKED,
    message: `node ${node.name} could not be drained: ${why}. The machine stays as it is, and nothing keeps pods from its node. It is tried again when nothing is in the way: give the budget room, or delete the pod; or let rolloutStrategy.drain.afterTimeout of ${own.kind} ${own.metadata.name} be Delete or Skip`,
  }
}
