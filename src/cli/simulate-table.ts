import type { Cancel, Clock } from '#base/clock.ts'
import type { SimulatedMachine } from '#simulator/machine/simulated-machine.ts'

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

interface Screen {
  readonly write: (text: string) => void
  /** How many lines fit; undefined where nothing can be drawn over: then changes are told line by line. */
  readonly rows: () => number | undefined
  readonly clock: Clock
}

const DRAW_EVERY_MS = 200
const HEADS = ['ADDRESS', 'HOSTNAME', 'TYPE', 'TALOS', 'STAGE', 'READY']

/** Shows the machines, and every change of what is shown, until it is disposed of. */
export function showMachines(fleet: ShownFleet, screen: Screen): Disposable {
  return screen.rows() === undefined ? tellChanges(fleet, screen) : drawTable(fleet, screen)
}

function tellChanges(fleet: ShownFleet, { write }: Screen): Disposable {
  const told = new Map<string, string>()
  const tell = (machine: ShownMachine | undefined) => {
    const line = machine && cellsOf(machine).join('  ')
    if (!line || told.get(machine.address) === line) return
    told.set(machine.address, line)
    write(`${line}\n`)
  }
  for (const machine of fleet.machines) tell(machine)
  const cancel = fleet.onChange((address) => tell(fleet.machine(address)))
  return { [Symbol.dispose]: cancel }
}

function drawTable(fleet: ShownFleet, { write, rows, clock }: Screen): Disposable {
  let drawn = 0
  let later: Cancel | undefined
  const draw = () => {
    later = undefined
    const lines = tableOf(fleet.machines, rows() ?? Infinity)
    // Back to the first line of what is there, and over it.
    write(
      `${drawn > 0 ? `\u001b[${drawn}A` : ''}${lines.map((line) => `${line}\u001b[K\n`).join('')}\u001b[J`,
    )
    drawn = lines.length
  }
  draw()
  const cancel = fleet.onChange(() => {
    later ??= clock.after(DRAW_EVERY_MS, draw)
  })
  return {
    [Symbol.dispose]: () => {
      cancel()
      later?.()
      draw()
    },
  }
}

/** A table of at most so many lines; machines for which there is no room are counted by their stage. */
export function tableOf(machines: readonly ShownMachine[], rows: number): readonly string[] {
  // One line for the heads, one for those that are left out, one for the cursor.
  const room = machines.length + 2 <= rows ? machines.length : Math.max(0, rows - 3)
  const cells = [HEADS, ...machines.slice(0, room).map(cellsOf)]
  const widths = HEADS.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
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
