import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { ClusterNodes } from '#engine/cluster-nodes.ts'
import type { ClusterPorts } from '#engine/cluster-ports.ts'
import { Credentials } from '#engine/credentials.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { TalosClient } from '#talos/client.ts'

/** What controllers work with, besides the Kubernetes API that they are configured by. */
export interface Ports extends ClusterPorts, AsyncDisposable {}

interface Options {
  clock: Clock
  log: Log
  version: string
  writesMeta: boolean
}

/** Nothing is connected before it is needed. Disposing of it ends all connections. */
export function openPorts({ clock, log, version, writesMeta }: Options): Ports {
  const machines = new TalosClient({ clock })
  const nodes = new ClusterNodes({ clock, log, userAgent: `talos-operator/${version}` })
  return {
    ...{ clock, machines, nodes, writesMeta },
    credentials: new Credentials({ clock }),
    newBundle: generateBundle,
    [Symbol.asyncDispose]: async () => {
      machines.close()
      await nodes.close()
    },
  }
}
