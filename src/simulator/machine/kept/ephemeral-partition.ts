import type { EtcdHalf } from '#simulator/clusters/etcd-half.ts'
import type { StoredImage } from '#simulator/machine/image-store.ts'

/** The data directory of etcd: of which etcd, and as which member. */
export interface EtcdPlace {
  readonly half: EtcdHalf
  readonly memberId: bigint
}

/** What workloads leave behind, and etcd. */
export class EphemeralPartition {
  #etcd: EtcdPlace | undefined
  /** Brought by a client, to recover from. */
  snapshot: Uint8Array | undefined
  /** The kubelet has been let in by an API server before. */
  hasKubeletCertificate = false
  /** By namespace and name. */
  readonly images = new Map<string, StoredImage>()

  get etcd(): EtcdPlace | undefined {
    return this.#etcd
  }

  set etcd(place: EtcdPlace | undefined) {
    place?.half.hold(this)
    const before = this.#etcd
    this.#etcd = place
    if (before?.half !== place?.half) before?.half.release(this)
  }

  wipe(): void {
    this.etcd = undefined
    this.snapshot = undefined
    this.hasKubeletCertificate = false
    this.images.clear()
  }
}
