import type { Machine } from '#api/machine.ts'
import type { Worker } from '#api/worker.ts'
import { kubeletPhase } from '#engine/kubelet-moves.ts'
import { type KubernetesProblem, kubeletProblem } from '#engine/kubernetes-checks.ts'
import { type Belonging, originOf } from '#engine/machine-origin.ts'
import { waitingForTurn } from '#engine/pending.ts'
import { isCurrent } from '#engine/pool-machines.ts'
import { nextInPool } from '#engine/pool-turns.ts'
import { isLeaving } from '#engine/removal.ts'
import { stoppedBy } from '#engine/standstill.ts'
import { isStuck } from '#engine/stuck.ts'
import { turnsOf } from '#engine/turns.ts'
import { wantedConfig } from '#engine/wanted-config.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { Reader } from '#runtime/reader.ts'
import { isRestrained } from '#runtime/reconcile-mode.ts'
import type { Known } from './look-kubernetes.ts'
import { busyPools, namesOf, seenBusy, unlikeTalos } from './look-pools.ts'
import type { KubeletsSeen } from './world.ts'

/** What there is to know of workers that are to get other kubelets, though their cluster may not be upgraded. */
export async function lookAtKubelets(known: Known, read: Reader): Promise<KubeletsSeen> {
  const { controlPlane, machines, pools, all } = known
  const phase = kubeletPhase(controlPlane)
  const machinesOf = ({ metadata }: Worker) =>
    all.filter(({ spec }) => spec?.workerRef?.name === metadata.name)
  const waiting = pools.filter((pool) => machinesOf(pool).some(isToBeMoved))
  const isStopped = stoppedBy('kubernetes', pools.flatMap(machinesOf)) !== undefined
  const asking = isStopped ? [] : waiting.filter((pool) => canGoOn(pool, machinesOf(pool)))
  const everybody = [...machines, ...pools.flatMap(machinesOf)].filter((one) => !isLeaving(one))
  // Before the first of them is changed, and after the last one.
  const isAsked = phase === 'preparing' || phase === 'ending'
  return {
    asking: namesOf(asking),
    isAnyWaiting: waiting.length > 0,
    busy: isAsked ? await busyPools(controlPlane, read) : seenBusy(pools),
    unlikeTalos: asking.length > 0 ? unlikeTalos(everybody) : [],
    problem:
      phase === undefined || phase === 'preparing'
        ? await problemOf(asking, { ...known, machinesOf, read })
        : undefined,
  }
}

const isToBeMoved = (machine: Machine): boolean =>
  machine.status?.pending?.work === 'kubernetes' && !isLeaving(machine)

/** Whether a pool would give turns for it at once: nobody waits for one that does not, or nobody could be mended by another Talos. */
function canGoOn(pool: Worker, machines: readonly Machine[]): boolean {
  const { metadata, spec, status } = pool
  const { held } = turnsOf(pool) ?? {}
  const isHeard = status?.observedGeneration === metadata.generation
  const isStopped = metadata.deletionTimestamp !== undefined || isRestrained(pool)
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  if (!held || !isHeard || isStopped || spec?.rolloutStrategy.paused) return false
  if (isStuck(ready?.reason ?? '')) return false
  // Whoever has a turn is done with it one day.
  const others = machines.filter(({ metadata: { uid } }) => !held.some((turn) => turn.uid === uid))
  const waiting = waitingForTurn(others).filter((one) => isToBeMoved(one) && isCurrent(one))
  return nextInPool({ spec, machines: others, held: [], waiting }).length > 0
}

interface Check extends Known {
  machinesOf: (pool: Worker) => Machine[]
  read: Reader
}

/** What speaks against it, by the configurations that those who ask for it would have. */
async function problemOf(
  asking: readonly Worker[],
  { controlPlane, machines, bundle, machinesOf, read }: Check,
): Promise<KubernetesProblem | undefined> {
  const apiServers = machines.flatMap(({ status }) => status?.kubernetes?.apiServer ?? [])
  if (!bundle) return undefined
  for (const worker of asking) {
    for (const machine of machinesOf(worker).filter(isToBeMoved)) {
      const config = await configFor(machine, { controlPlane, worker, bundle }, read)
      const from = machine.status?.kubernetes?.kubelet
      const { name } = machine.metadata
      const problem = config && kubeletProblem(name, config, { from, apiServers })
      if (problem) return problem
    }
  }
  return undefined
}

async function configFor(machine: Machine, belonging: Belonging, read: Reader) {
  try {
    return wantedConfig(await originOf(machine, belonging, read))
  } catch (error) {
    // Its machine says what is wrong with it.
    if (error instanceof ConfigError) return undefined
    throw error
  }
}
