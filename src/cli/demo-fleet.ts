import { createLog } from '#runtime/log.ts'
import { type Simulation, startSimulation } from '#simulator/start-simulation.ts'
import { type DemoAddresses, type DemoSize, freePlaces, noPlace } from './demo-addresses.ts'
import { DEMO_TALOS } from './demo-cluster.ts'

interface FleetOptions extends DemoSize {
  /** Where the first machine is. Left out: where there is room. */
  readonly addressBase?: string
  /** How much faster than real machines. */
  readonly speed: number
  readonly writeLog: (line: string) => void
}

/** Machines that wait for their configuration, and where they are. */
export interface DemoFleet extends AsyncDisposable {
  readonly places: DemoAddresses
}

// Another demo that starts at the same moment can be quicker.
const MOST_TRIES = 8

/** Starts the machines where there is room for them. */
export async function startDemoFleet(options: FleetOptions): Promise<DemoFleet> {
  let tries = 0
  let failure: unknown
  for await (const places of freePlaces(options, options.addressBase)) {
    try {
      const simulation = await simulationAt(places, options)
      return { places, [Symbol.asyncDispose]: () => simulation[Symbol.asyncDispose]() }
    } catch (error) {
      failure = error
    }
    if (++tries === MOST_TRIES) break
  }
  throw failure ?? noPlace(options.addressBase)
}

const simulationAt = (
  { addresses, kubernetesPort }: DemoAddresses,
  { speed, writeLog }: FleetOptions,
): Promise<Simulation> =>
  startSimulation({
    machines: addresses.map((address) => ({ address, talosVersion: DEMO_TALOS })),
    log: createLog({ level: 'warn', format: 'text', write: writeLog }),
    ...{ speed, kubernetesPort },
  })
