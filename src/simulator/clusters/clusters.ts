import type { ConfigFacts } from '#simulator/machine/config-facts.ts'
import { type ClusterSurroundings, SimulatedCluster } from './simulated-cluster.ts'

/** All clusters of a fleet. A cluster is there as soon as a machine is configured for it. */
export class Clusters implements AsyncDisposable {
  readonly #surroundings: ClusterSurroundings
  readonly #clusters = new Map<string, SimulatedCluster>()

  constructor(surroundings: ClusterSurroundings) {
    this.#surroundings = surroundings
  }

  get all(): readonly SimulatedCluster[] {
    return [...this.#clusters.values()]
  }

  of({ clusterKey }: ConfigFacts): SimulatedCluster {
    const known = this.#clusters.get(clusterKey)
    if (known) return known
    const cluster = new SimulatedCluster(this.#surroundings)
    this.#clusters.set(clusterKey, cluster)
    return cluster
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const cluster of this.all) await cluster[Symbol.asyncDispose]()
  }
}
