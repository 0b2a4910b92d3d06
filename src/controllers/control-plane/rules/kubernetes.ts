import type { ControlPlane } from '#api/control-plane.ts'
import type { Machine } from '#api/machine.ts'
import type { Decision, Rule } from '#controllers/control-plane/decision.ts'
import { claimedUuid } from '#controllers/control-plane/machine-facts.ts'
import type { Step, World } from '#controllers/control-plane/world.ts'
import { recordedFacts } from '#engine/cluster-facts.ts'
import {
  advanced,
  beginning,
  isThrough,
  retargeted,
  stopped,
  wordsForStage,
} from '#engine/kubernetes-moves.ts'
import { isMoving, type KubernetesRecord, kubernetesRecord } from '#engine/kubernetes-record.ts'
import { isWellNow, KUBERNETES_PENDING, UPGRADING_KUBERNETES } from '#engine/pending.ts'
import { isReadyNow, judgedBy } from '#engine/pool-machines.ts'
import { whoStands } from '#engine/standstill.ts'
import { stuck } from '#engine/stuck.ts'
import { no, type Verdict, yes } from '#runtime/plan.ts'
import { isTurnHeld, rollingOut } from './rollout.ts'

/**
 * Another version of Kubernetes comes to a cluster that is well, in an order in which no part is ever newer than the API
 * servers: those first, kubelets after all of the control plane, and each on one machine after the other. What brings them
 * are configurations, so that this only says which components may be what.
 */
export const kubernetes: Rule = (controlPlane, world) => {
  const { kubeVersion } = recordedFacts(controlPlane)
  const wanted = controlPlane.spec?.kubeVersion
  if (kubeVersion === undefined || wanted === undefined) return undefined
  const record = kubernetesRecord(controlPlane)
  const at: At = { controlPlane, world, kubeVersion, wanted }
  if (!record || !isMoving(controlPlane)) return notBegun(at)
  if (isFinishing(record)) return stillTo(at, record)
  if (record.stage === 'preparing') return prepare(at, record)
  if (wanted !== record.target)
    return refused(at) ?? moved(at, retargeted(record, world.machines, wanted))
  return stillTo(at, record)
}

/**
 * It is called off when the spec goes back to what was. That comes before anything is waited for: what is called off may be why
 * the API is silent, or why a machine is not well, and only taking it back mends that.
 */
export const stopKubernetes: Rule = (controlPlane, { machines }) => {
  const { kubeVersion } = recordedFacts(controlPlane)
  const record = kubernetesRecord(controlPlane)
  if (!record || !isMoving(controlPlane) || isFinishing(record)) return undefined
  if (kubeVersion === undefined || controlPlane.spec?.kubeVersion !== kubeVersion) return undefined
  const left = stopped(record, machines, kubeVersion)
  return {
    steps: [{ do: 'moveKubernetes', record: left, kubeVersion }],
    ...rollingOut(machines),
  }
}

/** What all of the control plane has stays, whatever the spec has come to say. */
const isFinishing = ({ stage }: KubernetesRecord): boolean =>
  stage === 'workers' || stage === 'manifests'

interface At {
  controlPlane: ControlPlane
  world: World
  /** What was written down that the cluster has. */
  kubeVersion: string
  /** What the spec asks for. */
  wanted: string
}

function notBegun({ controlPlane, world, kubeVersion, wanted }: At): Decision | undefined {
  if (wanted === kubeVersion) return undefined
  const at: At = { controlPlane, world, kubeVersion, wanted }
  const { machines, pool, kubernetes: seen } = world
  // What is the matter with it is said by those rules that come after.
  if (isTurnHeld(world) || !judgedBy(machines, pool).every(isReadyNow)) return undefined
  const problem = refused(at)
  if (problem) return problem
  if (seen.unlikeTalos.length > 0) {
    return waiting(
      at,
      `until ${seen.unlikeTalos.join(', ')} runs the Talos that it is to: Talos and Kubernetes are not upgraded at once`,
    )
  }
  if (isPaused(controlPlane)) return pausedAt(at)
  return moved(at, beginning(controlPlane, machines, wanted))
}

/** Before anything is changed, nothing else is being changed, and nothing speaks against it. */
function prepare(at: At, record: KubernetesRecord): Decision | undefined {
  const { controlPlane, world, wanted } = at
  const { machines, pool, kubernetes: seen } = world
  // What speaks against it keeps nobody from upgrading Talos.
  if (seen.problem || wanted !== record.target) {
    return { ...moved(at, stopped(record, machines, at.kubeVersion)), ...refused(at) }
  }
  // Whoever waits for another Talos waits until this is over.
  if (isTurnHeld(world) || !judgedBy(machines, pool).every(isWellNow)) return undefined
  if (seen.busyPools.length > 0) {
    return waiting(
      at,
      `until the machines of ${seen.busyPools.join(', ')} that are being changed are done`,
    )
  }
  if (isPaused(controlPlane)) return pausedAt(at)
  return moved(at, advanced(record))
}

/** On to the next stage when all have what the present one brings. */
function stillTo(at: At, record: KubernetesRecord): Decision | undefined {
  const { controlPlane, world } = at
  const machines = judgedBy(world.machines, world.pool)
  if (isTurnHeld(world) || !machines.every(isWellNow)) return undefined
  if (!isThrough(record, machines)) return { ...upgrading(at, record), again: 'soon' }
  if (record.stage === 'workers' && world.kubernetes.poolsBehind.length > 0) {
    return { ...upgrading(at, record), again: 'soon' }
  }
  if (isPaused(controlPlane)) return pausedAt(at)
  if (record.stage !== 'manifests') return moved(at, advanced(record))
  // Whoever has a turn may have been let get a kubelet when it was the workers' part. Talos may be upgraded after this.
  if (world.kubernetes.busyPools.length > 0) return { ...upgrading(at, record), again: 'soon' }
  const [first] = machines
  if (!first) return undefined
  return { steps: [syncOn(first, advanced(record))], ...upgrading(at, record) }
}

const syncOn = (machine: Machine, record: KubernetesRecord): Step => ({
  ...{ do: 'syncManifests', machine: machine.metadata.name, uuid: claimedUuid(machine) ?? '' },
  record,
})

/** Writes down where it is. From the workers on, all of the control plane has it. */
function moved(at: At, record: KubernetesRecord | undefined): Decision {
  const kubeVersion = record?.stage === 'workers' ? record.target : at.kubeVersion
  return {
    steps: [{ do: 'moveKubernetes', record, kubeVersion }],
    ...(record && record.stage !== 'stopped' ? upgrading(at, record) : { state: 'Ready' }),
  }
}

const refused = ({ world: { kubernetes: seen } }: At): Decision | undefined =>
  seen.problem && {
    state: 'Ready',
    ready: stuck(seen.problem.reason, seen.problem.message),
    again: 'later',
  }

const isPaused = ({ spec }: ControlPlane): boolean => spec?.rolloutStrategy.paused === true

const pausedAt = (at: At): Decision => ({
  state: standing(at),
  ready: no(
    'Paused',
    `rolloutStrategy.paused is set, so Kubernetes is not upgraded to ${at.wanted} ${isMoving(at.controlPlane) ? 'any further' : 'yet'}`,
  ),
})

const waiting = (at: At, until: string): Decision => ({
  state: standing(at),
  ready: no(
    KUBERNETES_PENDING,
    `Kubernetes is to be upgraded from ${at.kubeVersion} to ${at.wanted}, which waits ${until}`,
  ),
  again: 'later',
})

const standing = ({ controlPlane }: At) =>
  isMoving(controlPlane) ? ('UpgradingKubernetes' as const) : ('Ready' as const)

const upgrading = ({ world }: At, record: KubernetesRecord): Decision => ({
  state: 'UpgradingKubernetes',
  ready: no(UPGRADING_KUBERNETES, wordsFor(record, world)),
})

function wordsFor(
  { target, stage }: KubernetesRecord,
  { kubernetes: { poolsBehind, busyPools } }: World,
): string {
  const behind = stage === 'workers' && poolsBehind.length > 0 ? ` (${poolsBehind.join(', ')})` : ''
  const until = `, which waits until the machines of ${busyPools.join(', ')} that are being changed are done`
  const waits = stage === 'manifests' && busyPools.length > 0 ? until : ''
  return `Kubernetes is upgraded to ${target}. At present: ${wordsForStage(stage)}${behind}${waits}`
}

interface Judged {
  state: Decision['state']
  ready: Verdict | undefined
  conditions: { KubernetesUpgradeSucceeded?: Verdict; KubernetesUpgradeFailed?: Verdict }
}

/** What is said of an upgrade besides: that it goes on while machines are changed for it, that it cannot, and that it is over. */
export function asUpgrading(
  controlPlane: ControlPlane,
  world: World,
  { state, ready }: Pick<Decision, 'state' | 'ready'>,
): Judged {
  const record = kubernetesRecord(controlPlane)
  if (record?.stage === 'done') {
    const message = `Kubernetes ${record.target} runs everywhere that it is to`
    return {
      state,
      ready,
      conditions: { KubernetesUpgradeSucceeded: yes('UpgradeSucceeded', message) },
    }
  }
  const isPartOfIt = ready !== undefined && isOfUpgrade(ready.reason, world)
  if (!record || !isMoving(controlPlane) || (!isPartOfIt && state !== 'Ready')) {
    return { state, ready, conditions: {} }
  }
  const { message } = ready ?? {}
  const failed = whoStands(world.machines) ?? world.kubernetes.standing
  if (failed) {
    const why = `Kubernetes is not upgraded any further to ${record.target}: ${failed}`
    return {
      state: 'KubernetesUpgradeFailed',
      ready: no('KubernetesUpgradeFailed', why),
      conditions: { KubernetesUpgradeFailed: yes('UpgradeFailed', why) },
    }
  }
  const words = wordsFor(record, world)
  const said =
    ready?.reason === UPGRADING_KUBERNETES || message === undefined ? words : `${words}. ${message}`
  return {
    state: 'UpgradingKubernetes',
    ready: ready?.reason === 'Paused' ? ready : no(UPGRADING_KUBERNETES, said),
    conditions: {},
  }
}

/** What is said of machines that are changed, whatever for. */
const PART_OF_IT = ['RollingOut', 'MachinesNotReady', 'Paused', UPGRADING_KUBERNETES]

/** The API of a single machine is away while its API server is exchanged. */
const isOfUpgrade = (reason: string, world: World): boolean =>
  PART_OF_IT.includes(reason) || (reason === 'ApiUnreachable' && isTurnHeld(world))
