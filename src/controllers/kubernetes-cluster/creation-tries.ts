import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'

/** How often in a row Machines of clusters could not be created. Losing it makes nothing but a phase wrong, for a while. */
export class CreationTries {
  readonly #failed = new Map<string, { generation: number; tries: number }>()

  of({ metadata }: KubernetesCluster): number {
    const known = this.#failed.get(metadata.uid ?? '')
    return known && known.generation === metadata.generation ? known.tries : 0
  }

  failed(cluster: KubernetesCluster): void {
    const { uid = '', generation = 0 } = cluster.metadata
    this.#failed.set(uid, { generation, tries: this.of(cluster) + 1 })
  }

  ended({ metadata }: KubernetesCluster): void {
    this.#failed.delete(metadata.uid ?? '')
  }
}
