import { KubeClient } from '#kube/client.ts'
import { MachineProvider } from '#simulator/provider/machine-provider.ts'
import type { Simulation } from '#simulator/start-simulation.ts'
import { quietLog } from '#test/quiet-log.ts'
import { Boundary, type Call } from './boundary.ts'
import { throughBoundary } from './kubernetes-gate.ts'
import type { RacingClock } from './racing-clock.ts'
import type { Ways } from './ways.ts'

/** A provider in a world: it makes machines of Machine objects, as somebody else than the operator. */
export interface AProvider extends AsyncDisposable {
  /** All calls of its own that change something. */
  readonly history: readonly Call[]
  /** Ends it, and starts another one for the same machines. */
  restart(): Promise<void>
}

interface Options {
  ways: Ways
  clock: RacingClock
  simulation: Simulation
  addresses: readonly string[]
  talosVersion: string
}

/** By which Machines ask for it. */
export const PROVIDER = 'simulated'

export async function aProvider(options: Options): Promise<AProvider> {
  const { ways, clock } = options
  const boundary = new Boundary(() => clock.now())
  const gate = await ways.openGate(throughBoundary({ boundary, clock, kill: () => undefined }))
  const client = new KubeClient({ access: gate.access, clock, userAgent: 'a provider' })
  const start = () => new MachineProvider({ ...options, client, log: quietLog(), name: PROVIDER })
  let provider = start()
  return {
    history: boundary.history,
    restart: async () => {
      await provider[Symbol.asyncDispose]()
      provider = start()
    },
    [Symbol.asyncDispose]: async () => {
      await provider[Symbol.asyncDispose]()
      client.close()
      await gate[Symbol.asyncDispose]()
    },
  }
}
