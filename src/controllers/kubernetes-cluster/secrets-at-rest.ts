import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { RecentlyUsed } from '#engine/recently-used.ts'
import { canBegin } from './beginning.ts'
import { surplusOf } from './surplus.ts'
import type { SecretsSeen, World } from './world.ts'

const MOST_REMEMBERED = 2_000

/**
 * The keys of clusters that were seen to be there, while nobody is about to use them: a cluster that waits for its provider is
 * looked at twice a minute, and each time two objects would be asked for that nothing depends on. Losing it costs a call.
 */
export class SecretsAtRest {
  readonly #seen = new RecentlyUsed<SecretsSeen>(MOST_REMEMBERED)

  of(cluster: KubernetesCluster): SecretsSeen | undefined {
    return this.#seen.get(keyOf(cluster))
  }

  note(cluster: KubernetesCluster, seen: SecretsSeen): void {
    if (seen.is === 'there' && cluster.metadata.uid) this.#seen.set(keyOf(cluster), seen)
    else this.#seen.delete(keyOf(cluster))
  }
}

/** An edit may bring others. */
const keyOf = ({ metadata }: KubernetesCluster): string =>
  `${metadata.uid ?? ''} ${metadata.generation ?? 0}`

/** Whether nothing is made or taken away that would need the keys, or the word of the API on who has a control plane. */
export const isAtRest = (seen: Pick<World, 'wanted' | 'machines' | 'talos'>): boolean => {
  const { wanted, machines, talos } = seen
  const names = new Set(machines.map(({ metadata }) => metadata.name))
  return (
    talos.controlPlane === undefined &&
    talos.workers.length === 0 &&
    wanted.every(({ name }) => names.has(name)) &&
    surplusOf(seen).length === 0 &&
    !canBegin(seen)
  )
}
