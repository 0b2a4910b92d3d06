import { systemClock } from '#base/clock.ts'
import type { KubeClient } from '#kube/client.ts'
import { createLog } from '#runtime/log.ts'
import { MachineProvider } from '#simulator/provider/machine-provider.ts'
import { DEMO_TALOS } from './demo-cluster.ts'
import type { DemoFleet } from './demo-fleet.ts'
import { DEMO_PROVIDER } from './demo-kubernetes-cluster.ts'

interface ProviderOptions {
  readonly fleet: DemoFleet
  /** Of the management API. */
  readonly client: KubeClient
  readonly writeLog: (line: string) => void
}

/** Makes the machines that the operator orders, where there is room for them. */
export const startDemoProvider = ({ fleet, client, writeLog }: ProviderOptions): MachineProvider =>
  new MachineProvider({
    ...{ client, name: DEMO_PROVIDER, talosVersion: DEMO_TALOS, clock: systemClock },
    ...{ simulation: fleet.simulation, addresses: fleet.places.addresses },
    log: createLog({ level: 'info', format: 'text', write: writeLog }).with({ part: 'provider' }),
  })
