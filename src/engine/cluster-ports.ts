import type { Clock } from '#base/clock.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import type { NewBundle } from '#machineconfig/secrets/generate-bundle.ts'
import type { ClusterNodes } from './cluster-nodes.ts'
import type { Credentials } from './credentials.ts'
import type { TalosMachines } from './talos-machines.ts'

/** What the controllers of clusters work with, besides the Kubernetes API that they are configured by. */
export interface ClusterPorts {
  clock: Clock
  machines: TalosMachines
  credentials: Credentials
  nodes: ClusterNodes
  /** Makes the secrets of a cluster that is new. */
  newBundle: (given: NewBundle) => Promise<SecretsBundle>
  /** Whether META may be written. */
  writesMeta: boolean
}
