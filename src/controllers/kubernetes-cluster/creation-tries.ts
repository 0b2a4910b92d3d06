import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import type { World } from './world.ts'

/**
 * How often in a row Machines of clusters could not be created, and which were, in the pass that is under way. Losing it makes
 * nothing but a phase and a number wrong, for a while.
 */
export class CreationTries {
  readonly #failed = new Map<string, { generation: number; tries: number }>()
  readonly #made = new WeakMap<World, string[]>()

  of({ metadata }: KubernetesCluster): number {
    const known = this.#failed.get(metadata.uid ?? '')
    return known && known.generation === metadata.generation ? known.tries : 0
  }

  failed(cluster: KubernetesCluster): void {
    const { uid = '', generation = 0 } = cluster.metadata
    this.#failed.set(uid, { generation, tries: this.of(cluster) + 1 })
  }

  /** Which Machines were made since the world was as it was seen. */
  madeSince(world: World): readonly string[] {
    return this.#made.get(world) ?? []
  }

  made(world: World, machine: string): void {
    this.#made.set(world, [...this.madeSince(world), machine])
  }

  ended({ metadata }: KubernetesCluster): void {
    this.#failed.delete(metadata.uid ?? '')
  }
}
