import type { ClusterPorts } from '#engine/cluster-ports.ts'
import type { Metrics } from '#runtime/metrics.ts'
import type { ResultsFolder } from './results.ts'

/** What the controller works with, besides the Kubernetes API. */
export interface ProvidedPorts extends Pick<ClusterPorts, 'clock' | 'newBundle'> {
  provided: {
    results: ResultsFolder
    /** Counts what was done. */
    tally: Pick<Metrics, 'machineGenerated'>
    /** How often a cluster is looked at when nothing has changed. */
    resyncMs: number
  }
}
