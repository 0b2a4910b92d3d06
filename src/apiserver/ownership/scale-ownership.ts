import type { Fields } from '#apiserver/objects.ts'
import { atOnce } from '#apiserver/steps.ts'
import { difference, hasPath, isEmpty, setOf } from './field-set.ts'
import { type Ownership, readManagedFields, writeManagedFields } from './managed-fields.ts'

const scaleVersion = 'autoscaling/v1'
const replicas = ['f:spec', 'f:replicas']

/** Where the objects of a kind keep their replicas, by version, as path elements. */
export type ReplicasPaths = ReadonlyMap<string, readonly string[]>

/** The entries of an object as its `scale` has them: of those who own the replicas. */
export function toScaleFields(entries: readonly unknown[], paths: ReplicasPaths): Fields[] {
  const out = new Map<string, Ownership>()
  for (const [id, { source: _, ...ownership }] of atOnce(readManagedFields(entries)) ?? []) {
    const path = paths.get(ownership.apiVersion)
    if (path === undefined || !hasPath(ownership.set, path)) continue
    out.set(id, { ...ownership, apiVersion: scaleVersion, set: setOf(replicas) })
  }
  return atOnce(writeManagedFields(out))
}

interface FromScale {
  /** The entries of the object before. */
  readonly entries: readonly unknown[]
  /** The entries of its `scale` after. */
  readonly scaleEntries: readonly unknown[]
  readonly apiVersion: string
  readonly paths: ReplicasPaths
}

/** The entries that an object has after its `scale` was written. */
export function fromScaleFields({ entries, scaleEntries, apiVersion, paths }: FromScale): Fields[] {
  const owners = atOnce(readManagedFields(entries)) ?? new Map<string, Ownership>()
  const scale = atOnce(readManagedFields(scaleEntries)) ?? new Map<string, Ownership>()
  const out = new Map<string, Ownership>()
  for (const [id, ownership] of owners) {
    const path = paths.get(ownership.apiVersion)
    const isTaken = path !== undefined && hasPath(ownership.set, path) && !scale.delete(id)
    const set = isTaken ? atOnce(difference(ownership.set, setOf(path))) : ownership.set
    if (!isEmpty(set)) out.set(id, { ...ownership, set })
  }
  const path = paths.get(apiVersion)
  for (const [id, { source: _, ...ownership }] of scale) {
    if (path === undefined || !hasPath(ownership.set, replicas)) continue
    // The time of a new owner is not known here, and Kubernetes leaves it out.
    out.set(id, { ...ownership, apiVersion, set: setOf(path), time: owners.get(id)?.time })
  }
  return atOnce(writeManagedFields(out))
}
