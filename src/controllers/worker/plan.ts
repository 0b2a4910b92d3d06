import { CLUSTER_ID } from '#api/labels.ts'
import type { Worker } from '#api/worker.ts'
import { wasImported } from '#engine/adoption.ts'
import { firstDecision } from '#engine/first-decision.ts'
import { noControlPlane } from '#engine/no-control-plane.ts'
import { notSupportedYet, unsupportedNotices } from '#engine/not-supported-yet.ts'
import { hasUnwatched } from '#engine/pool-entries.ts'
import {
  isReadyNow,
  judgedBy,
  machineSteps,
  machinesInTheWay,
  partingSteps,
  whatBlocks,
  whatIsMissing,
} from '#engine/pool-machines.ts'
import { stuck } from '#engine/stuck.ts'
import { type Notice, no, type Plan, yes } from '#runtime/plan.ts'
import type { Decision, Rule } from './decision.ts'
import { adopt, importPool, importWaits } from './rules/import.ts'
import { drainBlocked, removeSurplus, silentStay } from './rules/removal.ts'
import { giveTurns, heldBack, rollingOut, standstill, turns } from './rules/rollout.ts'
import type { Step, World } from './world.ts'

export type WorkerPlan = Plan<Step, typeof Worker>

const AGAIN_MS = 5_000
const LATER_MS = 60_000

const notBuiltYet: Rule = ({ spec }) => {
  if (spec === undefined || spec.mode === 'metal') return undefined
  return { ready: notSupportedYet(`spec.mode ${spec.mode}`) }
}

/** Without the secrets of its cluster no worker can join it. */
const noCluster: Rule = (worker, { controlPlane }) => {
  const missing = noControlPlane(worker, controlPlane)
  if (missing || !controlPlane) return { ...(missing && { ready: missing }) }
  const { name, deletionTimestamp, annotations } = controlPlane.metadata
  if (deletionTimestamp !== undefined) {
    return { ready: no('ControlPlaneLeaving', `TalosControlPlane ${name} is being deleted`) }
  }
  if (annotations?.[CLUSTER_ID]) return undefined
  return { ready: no('SecretBundleNotFound', `TalosControlPlane ${name} has no secrets yet`) }
}

const wrongInput: Rule = (_worker, { problem }) =>
  problem && { ready: stuck(problem.reason, problem.message) }

const machines: Rule = (_worker, { pool }) => {
  const steps = machineSteps(pool)
  if (steps.length === 0) return undefined
  const ready = no('CreatingMachines', 'the objects of its machines are made')
  return { steps, state: 'Pending', ready }
}

/** Who cannot be found keeps nobody from being looked after who is known. */
const unresolved: Rule = (_worker, { unresolved: problem }) =>
  problem && { state: 'Pending', ready: no(problem.reason, problem.message), isWaiting: true }

const inTheWay: Rule = (_worker, { pool }) => {
  const ready = machinesInTheWay(pool)
  return ready && { state: 'Pending', ready }
}

const machinesReady = (_worker: Worker, world: World): Decision => {
  const { machines: all, pool, turns: seen, unasked } = world
  const judged = judgedBy(all, pool)
  if ((seen.turns?.held ?? []).length > 0) return rollingOut(judged)
  if (judged.every((one) => isReadyNow(one) && !unasked.includes(one))) return { state: 'Ready' }
  const missing = no('MachinesNotReady', whatIsMissing(judged, unasked))
  return heldBack(world) ?? { state: 'Pending', ready: silentStay(pool) ?? missing }
}

/** It is only shown: nothing is less ready for it. */
const showConfig: Rule = (worker, world) => {
  const { name, due } = world.config
  if (due !== 'create' && due !== 'update') return undefined
  const steps = [{ do: 'writeConfig' as const, name, isNew: due === 'create' }]
  return { ...machinesReady(worker, world), steps }
}

/** In this order: the first that speaks decides, and the rest waits for the next pass. */
export const rules: readonly Rule[] = [
  notBuiltYet,
  importWaits,
  noCluster,
  wrongInput,
  importPool,
  adopt,
  machines,
  turns,
  removeSurplus,
  drainBlocked,
  giveTurns,
  unresolved,
  inTheWay,
  showConfig,
  machinesReady,
]

/** What follows for a pool of workers, by these rules. */
export const planBy =
  (order: readonly Rule[]) =>
  (worker: Worker, world: World, now: Date): WorkerPlan => {
    const { steps = [], state, ready, isWaiting } = firstDecision(order, worker, world)
    return {
      steps,
      // Who has nothing to say of its machines leaves them as they were.
      status: { state: state ?? worker.status?.state, imported: wasImported(worker) },
      conditions: { ...(ready && { Ready: ready }) },
      ...wakeIn(isWaiting ? AGAIN_MS : hangsOnOthers(worker, world) && LATER_MS, now),
      notices: [...unsupportedNotices(ready), ...noticesOf(world)],
      needsTeardown: steps.length > 0 || world.machines.length > 0,
    }
  }

const noticesOf = ({ warnings, config }: World): Notice[] => [
  ...warnings.map((warning) => ({ type: 'Warning' as const, ...warning })),
  ...(config.due === 'taken'
    ? [
        {
          ...{ type: 'Warning' as const, reason: 'SecretNameTaken' },
          message: `Secret ${config.name} is somebody else's, so the configuration of this pool is not put there: rename or delete it`,
        },
      ]
    : []),
]

/** What it refers to is watched, where more than reading it is allowed; what it is wrong about, or waits for, may be another's. */
const hangsOnOthers = (worker: Worker, world: World): boolean =>
  world.problem !== undefined || hasUnwatched(worker) || standstill(world) !== undefined

const wakeIn = (ms: number | false, now: Date) =>
  ms === false ? {} : { wakeAt: new Date(now.getTime() + ms) }

export const plan = planBy(rules)

/** All machines at once: a pool that goes has nothing to keep. */
export function teardown(worker: Worker, { machines: all }: World): WorkerPlan | 'finished' {
  if (all.length === 0) return 'finished'
  const message = whatBlocks(all)
  return {
    steps: partingSteps(worker, all),
    status: { state: worker.status?.state },
    conditions: {
      Deleting: yes('RemovingMachines', message),
      Ready: no('RemovingMachines', message),
    },
  }
}
