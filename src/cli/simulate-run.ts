import { isIPv4 } from 'node:net'
import { type Clock, systemClock } from '#base/clock.ts'
import { aborted } from '#base/on-abort.ts'
import { messageOf } from '#base/operator-error.ts'
import { problem } from '#base/problem.ts'
import { createLog } from '#runtime/log.ts'
import type { Fault } from '#simulator/faults/fault.ts'
import { isProviderFault } from '#simulator/faults/fault-kinds.ts'
import { parseFault } from '#simulator/faults/parse-fault.ts'
import { startSimulation } from '#simulator/start-simulation.ts'
import type { Output } from './output.ts'
import { addressesFrom } from './simulate-addresses.ts'
import {
  type ClusterFlags,
  checkClusterFlags,
  machinesFor,
  writeManifests,
} from './simulate-clusters.ts'
import { checkProviderFlags, type ProviderFlags, startProvider } from './simulate-provider.ts'
import { showMachines } from './simulate-table.ts'
import { stopSignal } from './stop-signal.ts'
import { talosVersionOf } from './talos-version.ts'

/** What the command line says, checked as far as one value can be. */
export interface SimulateFlags extends ProviderFlags, ClusterFlags {
  machines?: number
  talos: string
  addressBase: string
  port: number
  kubernetesPort: number
  speed: number
  seed: number
  fault?: readonly string[]
}

const USUAL_MACHINES = 3
const USUAL_MOST_MACHINES = 100

/** Runs pretend machines, and shows what becomes of them, until it is told to stop. */
export async function runSimulation(flags: SimulateFlags, output: Output): Promise<void> {
  const { speed, seed, port, kubernetesPort, provider } = flags
  checkProviderFlags(flags)
  checkClusterFlags(flags)
  const talosVersion = talosVersionOf(flags.talos)
  const faults = (flags.fault ?? []).map(faultOf)
  const addresses = addressesFrom(flags.addressBase, countOf(flags))
  for (const fault of faults) checkTarget(fault, addresses, provider !== undefined)
  const log = createLog({ level: 'warn', format: 'text', write: output.err })
  using stop = stopSignal(systemClock)
  await using simulation = await startSimulation({
    machines: provider ? [] : addresses.map((address) => ({ address, talosVersion })),
    ...{ log, speed, seed, port, kubernetesPort, faults },
  })
  if (flags.clusters !== undefined) {
    const path = await writeManifests(flags, { addresses, talosVersion, kubernetesPort })
    output.err(`wrote ${path}: kubectl apply -f ${path}, where an operator runs on this machine\n`)
  }
  const { signal } = stop
  await using _provider = provider
    ? await startProvider(flags, { simulation, addresses, talosVersion, log, signal })
    : undefined
  using _shown = showMachines(simulation.fleet, screenOf(output, systemClock))
  await aborted(signal)
}

function countOf(flags: SimulateFlags): number {
  const count = machinesFor(flags) ?? flags.machines
  return count ?? (flags.provider ? USUAL_MOST_MACHINES : USUAL_MACHINES)
}

function faultOf(text: string): Fault {
  try {
    return parseFault(text)
  } catch (error) {
    throw problem({
      what: `--fault ${JSON.stringify(text.slice(0, 100))} cannot be understood`,
      why: messageOf(error),
      remedy: 'see talos-operator simulate --help for all faults and how they are written',
    })
  }
}

/** A fault that can never strike is a mistake. Of names and UUIDs nobody knows beforehand. */
function checkTarget(
  { name, machine = '' }: Fault,
  addresses: readonly string[],
  hasProvider: boolean,
): void {
  if (isProviderFault(name) && !hasProvider) {
    throw problem({
      what: `--fault ${name} is about a provider that there is not`,
      why: 'without --provider the machines are simply there',
      remedy: 'add --provider, or choose another fault',
    })
  }
  if (!isIPv4(machine) || addresses.includes(machine)) return
  throw problem({
    what: `--fault ${name}:${machine} is about a machine that there is not`,
    why: `the machines are at ${addresses[0]} to ${addresses.at(-1)}`,
    remedy: 'give the address of one of them, or more machines (--machines)',
  })
}

const screenOf = ({ out }: Output, clock: Clock) => ({
  write: out,
  clock,
  rows: () => (process.stdout.isTTY ? process.stdout.rows : undefined),
})
