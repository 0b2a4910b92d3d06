import type { EtcdCluster } from '#simulator/etcd/etcd-cluster.ts'
import type { ClusterKubernetes } from '#simulator/kubernetes/cluster-kubernetes.ts'

/**
 * An etcd and the Kubernetes that lives in it. A cluster has one, unless it was bootstrapped more than once:
 * then its halves know nothing of each other.
 */
export class EtcdHalf implements AsyncDisposable {
  readonly etcd: EtcdCluster
  readonly kubernetes: ClusterKubernetes
  readonly #leave: () => void
  readonly #unused: (half: EtcdHalf) => void
  readonly #holders = new Set<object>()

  constructor(parts: {
    etcd: EtcdCluster
    kubernetes: ClusterKubernetes
    /** Told when the last disk with its data was wiped. */
    unused(half: EtcdHalf): void
  }) {
    const { etcd, kubernetes } = parts
    this.etcd = etcd
    this.kubernetes = kubernetes
    this.#unused = (half) => parts.unused(half)
    etcd.content = { snapshot: () => kubernetes.snapshot() }
    const tell = () => kubernetes.setQuorum(etcd.hasQuorum)
    this.#leave = etcd.onChange(tell)
    tell()
  }

  /** A disk has data of it. */
  hold(disk: object): void {
    this.#holders.add(disk)
  }

  /** And has it no more. */
  release(disk: object): void {
    if (this.#holders.delete(disk) && this.#holders.size === 0) this.#unused(this)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leave()
    await this.kubernetes[Symbol.asyncDispose]()
  }
}
