import type { ConfigFacts } from '#simulator/machine/config-facts.ts'
import type { EtcdPlace } from '#simulator/machine/kept/ephemeral-partition.ts'

/** A machine, as the others of its cluster see it. */
export interface ClusterMachine {
  readonly address: string
  readonly hostname: string
  readonly nodeId: string
  readonly talosVersion: string
  /** Of the configuration by which it belongs to the cluster. */
  readonly facts: ConfigFacts | undefined
  /** Whether others get through to it. */
  readonly isReachable: boolean
  readonly isTrustdUp: boolean
  readonly isEtcdHealthy: boolean
  /** An API server has let its kubelet in before: it needs no token any more. */
  readonly hasKubeletCertificate: boolean
  /** Where its data directory of etcd says that it belongs. */
  readonly etcdPlace: EtcdPlace | undefined
}
