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
  /** The database that a recovery left in etcd's data directory when it was refused. */
  halfRecovered: Uint8Array | undefined
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

  /** Whether there is nothing in etcd's data directory. */
  get isEtcdEmpty(): boolean {
    return this.#etcd === undefined && this.halfRecovered === undefined
  }

  /** What is in the file of etcd's database, whether etcd runs or not. Undefined: there is none. */
  etcdDatabase(): Promise<Uint8Array> | undefined {
    if (this.#etcd) return this.#etcd.half.etcd.database()
    return this.halfRecovered && Promise.resolve(this.halfRecovered)
  }

  wipe(): void {
    this.etcd = undefined
    this.halfRecovered = undefined
    this.snapshot = undefined
    this.hasKubeletCertificate = false
    this.images.clear()
  }
}
