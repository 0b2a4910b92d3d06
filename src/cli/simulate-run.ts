import { isIPv4 } from 'node:net'
import { type Clock, systemClock } from '#base/clock.ts'
import { aborted } from '#base/on-abort.ts'
import { messageOf } from '#base/operator-error.ts'
import { problem } from '#base/problem.ts'
import { createLog } from '#runtime/log.ts'
import type { Fault } from '#simulator/faults/fault.ts'
import { parseFault } from '#simulator/faults/parse-fault.ts'
import { startSimulation } from '#simulator/start-simulation.ts'
import type { Output } from './output.ts'
import { addressesFrom } from './simulate-addresses.ts'
import { showMachines } from './simulate-table.ts'
import { stopSignal } from './stop-signal.ts'
import { talosVersionOf } from './talos-version.ts'

/** What the command line says, checked as far as one value can be. */
export interface SimulateFlags {
  machines: number
  talos: string
  addressBase: string
  port: number
  kubernetesPort: number
  speed: number
  seed: number
  fault?: readonly string[]
}

/** Runs pretend machines, and shows what becomes of them, until it is told to stop. */
export async function runSimulation(flags: SimulateFlags, output: Output): Promise<void> {
  const { machines, speed, seed, port, kubernetesPort } = flags
  const talosVersion = talosVersionOf(flags.talos)
  const faults = (flags.fault ?? []).map(faultOf)
  const addresses = addressesFrom(flags.addressBase, machines)
  for (const fault of faults) checkTarget(fault, addresses)
  using stop = stopSignal(systemClock)
  await using simulation = await startSimulation({
    machines: addresses.map((address) => ({ address, talosVersion })),
    log: createLog({ level: 'warn', format: 'text', write: output.err }),
    ...{ speed, seed, port, kubernetesPort, faults },
  })
  using _shown = showMachines(simulation.fleet, screenOf(output, systemClock))
  await aborted(stop.signal)
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
function checkTarget({ name, machine = '' }: Fault, addresses: readonly string[]): void {
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
