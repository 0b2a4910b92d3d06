import type { Cancel } from '#base/clock.ts'
import type { SimulatedMachine } from '#simulator/machine/simulated-machine.ts'
import { aligned, redraw, type Screen } from './redraw.ts'

/** What is shown of a machine. */
export type ShownMachine = Pick<
  SimulatedMachine,
  'address' | 'hostname' | 'talosVersion' | 'stage' | 'isReady' | 'isOn' | 'type'
>

/** The machines of a fleet, as the table sees them. */
export interface ShownFleet {
  readonly machines: readonly ShownMachine[]
  onChange(listener: (address: string) => void): Cancel
  machine(address: string): ShownMachine | undefined
}

const HEADS = ['ADDRESS', 'HOSTNAME', 'TYPE', 'TALOS', 'STAGE', 'READY']

/** Shows the machines, and every change of what is shown, until it is disposed of. */
export function showMachines(fleet: ShownFleet, screen: Screen): Disposable {
  if (screen.rows() === undefined) return tellChanges(fleet, screen)
  const lines = (room: number) => tableOf(fleet.machines, room)
  return redraw({ lines, onChange: (listener) => fleet.onChange(listener) }, screen)
}

function tellChanges(fleet: ShownFleet, { write }: Screen): Disposable {
  const told = new Map<string, string>()
  const tell = (address: string) => {
    const machine = fleet.machine(address)
    const line = machine ? cellsOf(machine).join('  ') : `${address}  gone`
    const isNews = machine ? told.get(address) !== line : told.has(address)
    if (machine) told.set(address, line)
    else told.delete(address)
    if (isNews) write(`${line}\n`)
  }
  for (const { address } of fleet.machines) tell(address)
  const cancel = fleet.onChange(tell)
  return { [Symbol.dispose]: cancel }
}

/** A table of at most so many lines; machines for which there is no room are counted by their stage. */
export function tableOf(machines: readonly ShownMachine[], rows: number): readonly string[] {
  // One line for the heads, one for those that are left out, one for the cursor.
  const room = machines.length + 2 <= rows ? machines.length : Math.max(0, rows - 3)
  const lines = aligned([HEADS, ...machines.slice(0, room).map(cellsOf)])
  return room === machines.length ? lines : [...lines, restOf(machines.slice(room))]
}

function restOf(machines: readonly ShownMachine[]): string {
  const counts = new Map<string, number>()
  for (const { stage } of machines) counts.set(stage, (counts.get(stage) ?? 0) + 1)
  return `and ${machines.length} more: ${[...counts].map(([stage, count]) => `${count} ${stage}`).join(', ')}`
}

const cellsOf = (machine: ShownMachine): readonly string[] => [
  machine.address,
  machine.hostname || '-',
  machine.type ?? '-',
  machine.talosVersion || '-',
  machine.isOn ? machine.stage : 'off',
  machine.isReady ? 'ready' : '-',
]
