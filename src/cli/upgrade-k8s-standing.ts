import type { ControlPlane } from '#api/control-plane.ts'
import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import type { Machine } from '#api/machine.ts'
import type { Worker } from '#api/worker.ts'
import { recordedFacts } from '#engine/cluster-facts.ts'
import { KUBERNETES_REASONS } from '#engine/kubernetes-checks.ts'
import { wordsForStage } from '#engine/kubernetes-moves.ts'
import { isMoving, isOlder, kubernetesRecord } from '#engine/kubernetes-record.ts'
import { isWell, UPGRADING_KUBERNETES } from '#engine/pending.ts'
import { whoStands } from '#engine/standstill.ts'
import { isStuck } from '#engine/stuck.ts'
import type { OfOneCluster } from './upgrade-k8s-edits.ts'

/** What is seen of an upgrade: the control plane, and the pools that get it too, with the machines of the namespace. */
export interface UpgradeSeen {
  readonly controlPlane: ControlPlane
  readonly pools: readonly Worker[]
  readonly machines: readonly Machine[]
  /** Clusters by their shape, whose part it is. */
  readonly shapes: readonly KubernetesCluster[]
}

/** Where an upgrade is, in lines for people: mostly the operator's own sentences. */
export interface Standing {
  /**
   * `unseen`: the operator has not looked at what is asked for. `refused`: nothing is changed. `standing`: it does not go on
   * before somebody mends something.
   */
  readonly is: 'unseen' | 'refused' | 'standing' | 'under way' | 'there'
  readonly says: readonly string[]
}

/** Where the upgrade to a version is, by what the operator has said. */
export function standingOf(seen: UpgradeSeen, to: string): Standing {
  const { controlPlane } = seen
  const { metadata, spec, status } = controlPlane
  if (spec?.kubeVersion !== to) {
    const refusals = seen.shapes.flatMap(refusalsOf)
    if (refusals.length > 0) return { is: 'refused', says: refusals }
    const asked = `TalosControlPlane ${metadata.name} asks for ${spec?.kubeVersion}, and not for ${to}`
    return { is: 'unseen', says: [asked] }
  }
  if (status?.observedGeneration !== metadata.generation) {
    return { is: 'unseen', says: ['the operator has not looked at it yet'] }
  }
  const behind = poolsBehind(seen, to)
  if (hasControlPlane(controlPlane, to) && behind.length === 0) return { is: 'there', says: [] }
  // Before, pools only say that they wait for it.
  const waiting = recordedFacts(controlPlane).kubeVersion === to ? behind : []
  const said = [controlPlane, ...waiting].flatMap(saidBy)
  const says = said.map(({ name, reason, message }) => `${name}: ${reason}: ${message}`)
  if (said.some(({ reason }) => isRefusal(reason))) return { is: 'refused', says }
  const isHeld = said.some(({ reason }) => isStandstill(reason))
  if (isHeld || waiting.some((pool) => isHeldBack(pool, seen))) return { is: 'standing', says }
  return { is: 'under way', says: progressOf(seen, waiting) }
}

/** Whether all that there is to say of a cluster is said, and nothing is wrong with it. */
export const isSaidOf = ({ controlPlane, pools, clusters, shapes }: OfOneCluster): boolean =>
  [controlPlane, ...pools, ...clusters, ...shapes].every(
    (one) =>
      one.status?.observedGeneration === one.metadata.generation &&
      one.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True'),
  )

/** The stage, and what is being done to which machine. */
function progressOf({ controlPlane, machines }: UpgradeSeen, waiting: readonly Worker[]): string[] {
  const stage = isMoving(controlPlane) ? kubernetesRecord(controlPlane)?.stage : undefined
  const changed = [
    ...machines.filter(({ spec }) => !spec?.workerRef),
    ...waiting.flatMap((pool) => machinesOf(pool, machines)),
  ].filter((machine) => !isWell(machine))
  const own = saidBy(controlPlane).map(({ reason, message }) =>
    stage && reason === UPGRADING_KUBERNETES ? wordsForStage(stage) : `${reason}: ${message}`,
  )
  const said = changed.flatMap(saidBy)
  return [...own, ...said.map(({ name, message }) => `  ${name}: ${message}`)]
}

/** Why its parts stay as they are, although it asks for something else. */
const refusalsOf = ({ metadata, status }: KubernetesCluster): string[] =>
  status?.observedGeneration !== metadata.generation
    ? []
    : (status?.conditions ?? [])
        .filter((one) => one.type === 'TopologyValid' && one.status === 'False')
        .map(({ reason, message }) => `${metadata.name}: ${reason}: ${message}`)

const hasControlPlane = (controlPlane: ControlPlane, to: string): boolean =>
  recordedFacts(controlPlane).kubeVersion === to &&
  !isMoving(controlPlane) &&
  isAt(controlPlane.status?.observedKubeVersion, to)

/** Those of which a machine is not known to have it. */
const poolsBehind = ({ pools, machines }: UpgradeSeen, to: string): Worker[] =>
  pools.filter((pool) =>
    machinesOf(pool, machines).some(({ status }) => !isAt(status?.kubernetes?.kubelet, to)),
  )

const machinesOf = ({ metadata }: Worker, machines: readonly Machine[]): Machine[] =>
  machines.filter(({ spec }) => spec?.workerRef?.name === metadata.name)

const isAt = (version: string | undefined, to: string): boolean =>
  version !== undefined && !isOlder(version, to)

const saidBy = ({ metadata, status }: ControlPlane | Worker | Machine) =>
  (status?.conditions ?? [])
    .filter((one) => one.type === 'Ready' && one.status !== 'True')
    .map(({ reason, message }) => ({ name: metadata.name, reason, message }))

const isRefusal = (reason: string): boolean => KUBERNETES_REASONS.some((one) => one === reason)

const isStandstill = (reason: string): boolean =>
  reason === 'KubernetesUpgradeFailed' || isStuck(reason)

/** Whether a machine of it cannot be changed any further. */
const isHeldBack = (pool: Worker, { machines }: UpgradeSeen): boolean =>
  whoStands(machinesOf(pool, machines)) !== undefined
