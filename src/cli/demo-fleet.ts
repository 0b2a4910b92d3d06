import { createLog } from '#runtime/log.ts'
import { type Simulation, startSimulation } from '#simulator/start-simulation.ts'
import { type DemoAddresses, type DemoSize, freePlaces, noPlace } from './demo-addresses.ts'
import { DEMO_TALOS } from './demo-cluster.ts'

interface FleetOptions extends DemoSize {
  /** Where the first machine is. Left out: where there is room. */
  readonly addressBase?: string
  /** How much faster than real machines. */
  readonly speed: number
  /** Whether there is only room for machines, which somebody puts there later. */
  readonly isOrdered: boolean
  readonly writeLog: (line: string) => void
}

/** Machines that wait for their configuration, or are to come, and where they are. */
export interface DemoFleet extends AsyncDisposable {
  readonly places: DemoAddresses
  readonly simulation: Simulation
}

// Another demo that starts at the same moment can be quicker.
const MOST_TRIES = 8
// For those who ask for more of them when they have seen it.
const SPARE_PLACES = 5

/** Starts the machines where there is room for them. */
export async function startDemoFleet(options: FleetOptions): Promise<DemoFleet> {
  let tries = 0
  let failure: unknown
  const { controlPlanes, workers, isOrdered } = options
  // Any of those that are ordered may be a control plane.
  const size = isOrdered
    ? { controlPlanes: controlPlanes + workers + SPARE_PLACES, workers: 0 }
    : options
  for await (const places of freePlaces(size, options.addressBase)) {
    try {
      const simulation = await simulationAt(places, options)
      return { places, simulation, [Symbol.asyncDispose]: () => simulation[Symbol.asyncDispose]() }
    } catch (error) {
      failure = error
    }
    if (++tries === MOST_TRIES) break
  }
  throw failure ?? noPlace(options.addressBase)
}

const simulationAt = (
  { addresses, kubernetesPort }: DemoAddresses,
  { speed, writeLog, isOrdered }: FleetOptions,
): Promise<Simulation> =>
  startSimulation({
    machines: isOrdered ? [] : addresses.map((address) => ({ address, talosVersion: DEMO_TALOS })),
    log: createLog({ level: 'warn', format: 'text', write: writeLog }),
    ...{ speed, kubernetesPort },
  })
