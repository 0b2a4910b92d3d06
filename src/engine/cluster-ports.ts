import type { Clock } from '#base/clock.ts'
import type { ClusterNodes } from './cluster-nodes.ts'
import type { Credentials } from './credentials.ts'
import type { TalosMachines } from './talos-machines.ts'

/** What the controllers of clusters work with, besides the Kubernetes API that they are configured by. */
export interface ClusterPorts {
  clock: Clock
  machines: TalosMachines
  credentials: Credentials
  nodes: ClusterNodes
  /** Whether META may be written. */
  writesMeta: boolean
}
