import type { Machine } from '#api/machine.ts'
import { keyOf } from '#kube/cache.ts'
import type { Parent } from './world.ts'

/** Which machines have to be woken when something happens to a cluster, by their keys. */
export class ClusterMembers {
  readonly #members = new Map<string, Set<string>>()
  readonly #clusters = new Map<string, string>()

  of(cluster: string): readonly string[] {
    return [...(this.#members.get(cluster) ?? [])]
  }

  note(machine: Machine, parent: Parent): void {
    const key = keyOf(machine)
    const isStaying = parent.is === 'there' && machine.metadata.deletionTimestamp === undefined
    this.#forget(key)
    if (!isStaying) return
    const cluster = keyOf(parent.controlPlane)
    const members = this.#members.get(cluster) ?? new Set()
    this.#members.set(cluster, members.add(key))
    this.#clusters.set(key, cluster)
  }

  #forget(key: string): void {
    const cluster = this.#clusters.get(key)
    if (cluster === undefined) return
    this.#clusters.delete(key)
    const members = this.#members.get(cluster)
    members?.delete(key)
    if (members?.size === 0) this.#members.delete(cluster)
  }
}
