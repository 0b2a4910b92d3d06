import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { ProvidedPorts } from '#controllers/kubernetes-cluster/ports.ts'
import { ClusterNodes } from '#engine/cluster-nodes.ts'
import type { ClusterPorts } from '#engine/cluster-ports.ts'
import { Credentials } from '#engine/credentials.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import type { Metrics } from '#runtime/metrics.ts'
import { TalosClient } from '#talos/client.ts'
import { DiskResultsFolder } from './results-folder.ts'
import type { Settings } from './settings.ts'

/** What controllers work with, besides the Kubernetes API that they are configured by. */
export interface Ports extends ClusterPorts, ProvidedPorts, AsyncDisposable {}

interface Options {
  clock: Clock
  log: Log
  version: string
  metrics: Metrics
  settings: Pick<Settings, 'enableMetaKey' | 'resultsPath' | 'reconcileInterval' | 'namespaces'>
}

/** Nothing is connected before it is needed. Disposing of it ends all connections. */
export function openPorts({ clock, log, version, metrics, settings }: Options): Ports {
  const machines = new TalosClient({ clock })
  const nodes = new ClusterNodes({ clock, log, userAgent: `talos-operator/${version}` })
  return {
    ...{ clock, machines, nodes, writesMeta: settings.enableMetaKey },
    credentials: new Credentials({ clock }),
    newBundle: generateBundle,
    provided: {
      results: new DiskResultsFolder({
        ...{ root: settings.resultsPath, namespaces: settings.namespaces },
        ...{ clock, tally: metrics },
      }),
      ...{ tally: metrics, resyncMs: settings.reconcileInterval.ms },
    },
    [Symbol.asyncDispose]: async () => {
      machines.close()
      await nodes.close()
    },
  }
}
