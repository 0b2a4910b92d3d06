import { Machine } from '#api/machine.ts'
import type { KubeObject } from '#api/meta.ts'
import { wholesOf } from '#engine/cluster-owners.ts'
import { maxUnavailable } from '#engine/max-unavailable.ts'
import { isControlPlane, type Parent } from '#engine/pool.ts'
import { modeAmong } from '#runtime/reconcile-mode.ts'
import { fieldsThatDiffer } from './diff-fields.ts'
import type { HeldObjects } from './diff-held.ts'
import { kubernetesUpgrade } from './diff-kubernetes.ts'
import { machinesOf } from './diff-machines.ts'
import { lookAtPool, type PoolSeen } from './diff-pool.ts'
import type { DiffPorts } from './diff-ports.ts'
import { removedMachine } from './diff-removal.ts'
import type { ObjectDiff, Said } from './diff-report.ts'
import type { Judged, Standing } from './diff-standstill.ts'

/** The objects of a namespace as they are, and as they would be. */
export interface Views {
  readonly before: HeldObjects
  readonly after: HeldObjects
}

/** One object in both. */
interface Both<Object extends KubeObject> {
  readonly before: Object | undefined
  readonly after: Object | undefined
}

/** What becomes of an object itself. */
export function objectDiff(
  { before, after }: Both<KubeObject>,
  cluster: string,
): Omit<ObjectDiff, 'notes' | 'machines'> {
  const { kind = '', metadata } = after ?? before ?? { metadata: { name: '' } }
  const of = { kind, namespace: metadata.namespace ?? '', name: metadata.name, cluster }
  if (!before) return { ...of, change: 'created', fields: [] }
  if (!after) return { ...of, change: 'removed', fields: [] }
  const fields = fieldsThatDiffer(before, after)
  return { ...of, change: fields.length > 0 ? 'changed' : 'none', fields }
}

/** What becomes of a control plane, or of a pool, and of its machines. */
export async function poolDiff(
  { before, after }: Both<Parent>,
  views: Views,
  ports: DiffPorts,
): Promise<Judged> {
  const object = objectDiff({ before, after }, clusterOf(after ?? before))
  const alone = (diff: ObjectDiff): Judged => ({ diff, standing: [] })
  if (!after) {
    const machines = before ? allOf(before, views.before) : []
    return alone({ ...object, notes: [], machines })
  }
  const seen = await lookAtPool(after, views.after, ports)
  const notes = [...notesOn(after, views.after), ...kubernetesUpgrade(after), ...seen.warnings]
  if (seen.problem) return alone({ ...object, problem: seen.problem, notes, machines: [] })
  const old = before && (await lookAtPool(before, views.before, ports))
  const { machines, already, standing } = await machinesOf({ before: old, after: seen }, ports)
  const isPaused = after.spec?.rolloutStrategy.paused && machines.some((one) => one.do === 'change')
  const stuck = standing.filter(({ name }) => already.includes(name))
  const diff = {
    ...{ ...object, atOnce: atOnceIn(seen), machines },
    notes: [...notes, ...(isPaused ? [PAUSED] : []), ...underWay(already), ...stuck.map(saidOf)],
  }
  return { diff, standing }
}

/** What keeps a machine from being as the objects that are there want it. */
const saidOf = ({ name, problem: { reason, message } }: Standing): Said => ({
  reason,
  message: `${name}: ${message}`,
})

const clusterOf = (parent: Parent | undefined): string => {
  if (!parent || isControlPlane(parent)) return parent?.metadata.name ?? ''
  return parent.spec?.controlPlaneRef?.name ?? ''
}

/** A pool that goes as a whole has nothing to keep. */
const allOf = ({ metadata, spec }: Parent, held: HeldObjects) =>
  held
    .list(Machine)
    .filter((machine) => machine.spec?.workerRef?.name === metadata.name)
    .map((machine) => removedMachine(machine, spec?.deletionPolicy === 'preserve'))

/** Of a control plane one goes at a time, whatever is asked for. */
const atOnceIn = ({ worker, plan: { known, surplus } }: PoolSeen): number =>
  worker
    ? maxUnavailable(
        worker.spec?.rolloutStrategy.rollingUpdate?.maxUnavailable,
        known.length + surplus.length,
      )
    : 1

/** Why the operator does nothing for an object as things are. */
export function notesOn(object: KubeObject, held: HeldObjects): Said[] {
  const { metadata } = object
  const mode = modeAmong(object, wholesOf(metadata, held))
  const isHeld = mode === 'disable' || mode === 'dryrun'
  return [
    ...(isHeld
      ? [{ reason: 'ReconcileMode', message: `its reconcile-mode is ${mode}: ${IDLE}` }]
      : []),
    ...(metadata.deletionTimestamp === undefined
      ? []
      : [{ reason: 'Deleting', message: `it is being deleted: ${IDLE}` }]),
  ]
}

export const IDLE = 'the operator does nothing of this'

const PAUSED: Said = {
  reason: 'Paused',
  message: 'rolloutStrategy.paused is set: no machine is changed before it is taken away',
}

function underWay(names: readonly string[]): Said[] {
  if (names.length === 0) return []
  const message = `whether or not this is applied, these are not as the objects want them that are there, or on their way: ${[...names].sort().join(', ')}`
  return [{ reason: 'AlreadyUnderWay', message }]
}
