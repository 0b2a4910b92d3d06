import { ControlPlane } from '#api/control-plane.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import {
  isStopping,
  stoppedBy,
  stoppedWords,
  waitsForControlPlaneWords,
} from '#engine/standstill.ts'
import type { HeldObjects } from './diff-held.ts'
import type { ChangedMachine, MachineDiff, ObjectDiff, Said } from './diff-report.ts'

/** A machine that is not as it should be, and stays so until somebody does something. */
export interface Standing {
  readonly name: string
  readonly problem: Said
}

/** A control plane or a pool, with those of its machines that stay as they are, whoever asked for something else. */
export interface Judged {
  readonly diff: ObjectDiff
  readonly standing: readonly Standing[]
}

/**
 * Says of machines that the operator would hold them back because of others. One of a control plane is changed only while all
 * others are well, and workers only when their control plane is. What failed on one worker is tried on no other.
 */
export function withStandstills(all: readonly Judged[], held: HeldObjects): ObjectDiff[] {
  const everybody = [...all, ...unnamed(all, held)]
  return all.map((pool) => ({
    ...pool.diff,
    machines: pool.diff.machines.map((machine) => {
      const problem = takesTurn(machine) ? whatHolds(machine, pool, everybody) : undefined
      return problem ? { ...machine, problem } : machine
    }),
  }))
}

/** What is not installed yet gets its configuration at once, and META is written beside everything else. */
const takesTurn = (machine: MachineDiff): machine is ChangedMachine =>
  machine.do === 'change' &&
  !machine.problem &&
  machine.effort !== 'install' &&
  (machine.upgrade !== undefined || machine.changes.length > 0)

function whatHolds(
  machine: ChangedMachine,
  pool: Judged,
  everybody: readonly Judged[],
): Said | undefined {
  const { diff, standing } = pool
  const [own] = standing
  if (isOf(ControlPlane, diff)) return own && notReady(own)
  const cluster = everybody.filter(({ diff: one }) => isSameCluster(one, diff))
  const [above] = cluster.filter(({ diff: one }) => isOf(ControlPlane, one)).flatMap(standingIn)
  const work = machine.upgrade ? 'upgrade' : 'configuration'
  const others = work === 'configuration' ? [pool] : cluster
  const stop = others.flatMap(standingIn).find(({ problem }) => isStopping(work, problem.reason))
  if (stop) return stoppedAt(machine, stop)
  if (above) return waitsForControlPlane(diff.cluster, above)
  // Whoever is not well counts as down.
  return own && standing.length >= (diff.atOnce ?? 1) ? notReady(own) : undefined
}

const isOf = ({ kind }: { kind: string }, diff: ObjectDiff): boolean => diff.kind === kind

const isSameCluster = (one: ObjectDiff, other: ObjectDiff): boolean =>
  one.cluster === other.cluster && one.namespace === other.namespace

const standingIn = ({ standing }: Judged): readonly Standing[] => standing

const notReady = (standing: Standing): Said => ({
  reason: 'MachinesNotReady',
  message: wordsFor(standing),
})

const stoppedAt = ({ name }: ChangedMachine, stop: Standing): Said => ({
  reason: 'RolloutStopped',
  message: stoppedWords(name, stop.name, stop.problem.message),
})

const waitsForControlPlane = (name: string, above: Standing): Said => ({
  reason: 'WaitsForControlPlane',
  message: waitsForControlPlaneWords(name, wordsFor(above)),
})

const wordsFor = ({ name, problem }: Standing): string => `${name}: ${problem.message}`

/** The other parts of the same clusters, of which nothing is asked: with what their machines say of themselves. */
function unnamed(all: readonly Judged[], held: HeldObjects): Judged[] {
  const named = new Set(all.map(({ diff }) => `${diff.kind} ${diff.name}`))
  const clusters = new Map(all.map(({ diff }) => [diff.cluster, diff]))
  const parts = [
    ...held.list(ControlPlane).map((one) => ({ of: one, cluster: one.metadata.name })),
    ...held.list(Worker).map((one) => ({ of: one, cluster: one.spec?.controlPlaneRef?.name })),
  ]
  return parts.flatMap(({ of: { kind, metadata }, cluster = '' }) => {
    const example = clusters.get(cluster)
    if (!example || named.has(`${kind} ${metadata.name}`)) return []
    const diff: ObjectDiff = {
      ...{ kind, name: metadata.name, namespace: example.namespace, cluster },
      ...{ change: 'none', fields: [], notes: [], machines: [] },
    }
    return [{ diff, standing: saidBy(machinesOf(diff, held)) }]
  })
}

const machinesOf = ({ kind, name }: ObjectDiff, held: HeldObjects): Machine[] =>
  held
    .list(Machine)
    .filter(({ spec }) =>
      kind === Worker.kind
        ? spec?.workerRef?.name === name
        : !spec?.workerRef && spec?.controlPlaneRef?.name === name,
    )

function saidBy(machines: readonly Machine[]): Standing[] {
  const stop = stoppedBy('upgrade', machines)
  if (!stop) return []
  const { name, reason, message } = stop
  return [{ name, problem: { reason, message } }]
}
