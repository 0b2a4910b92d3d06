import type { ProvidedMachine } from '#api/provided-machine.ts'
import type { MachineEntry, Parent } from '#engine/pool.ts'
import { isLeaving } from './own.ts'
import type { TalosSeen, World } from './world.ts'

export const entriesOf = ({ spec }: Parent): readonly MachineEntry[] =>
  spec?.metalSpec?.machines ?? []

export const nameOf = ({ machineRef }: MachineEntry): string => machineRef?.name ?? ''

/** The parts of the engine that have machines. */
export const partsOf = ({ controlPlane, workers }: Omit<TalosSeen, 'machines'>): Parent[] => [
  ...(controlPlane ? [controlPlane] : []),
  ...workers,
]

/** Whether a Machine is the one that an entry means, and stays. */
export function isMeant(entry: MachineEntry, machine: ProvidedMachine | undefined): boolean {
  const { uid = machine?.metadata.uid } = entry.machineRef ?? {}
  return machine !== undefined && !isLeaving(machine) && machine.metadata.uid === uid
}

/** Entries whose Machine is wanted, and gone or on its way out if these are all that there are. */
export function missingIn({
  wanted,
  machines,
  talos,
}: Pick<World, 'wanted' | 'machines' | 'talos'>): MachineEntry[] {
  const names = new Set(wanted.map(({ name }) => name))
  return partsOf(talos)
    .flatMap(entriesOf)
    .filter((entry) => names.has(nameOf(entry)) && !isMeant(entry, machineOf(entry, machines)))
}

/** How the entries of a part stand to what is wanted and to what is there, by the names of their Machines. */
interface Standing {
  /** Wanted, and not known to be gone. */
  staying: string[]
  /** Wanted, and the Machine that was meant is gone. */
  lost: string[]
  surplus: string[]
  /** Whether at least one has its Machine, wanted or not. */
  isAnyThere: boolean
}

export function standingOf(
  part: Parent,
  wanted: readonly string[],
  { machines, lost }: Pick<World, 'machines' | 'lost'>,
): Standing {
  const entries = entriesOf(part)
  const surplus = entries.filter((entry) => !wanted.includes(nameOf(entry)))
  const names = entries.map(nameOf).filter((name) => wanted.includes(name))
  const staying = names.filter((name) => !lost.includes(name))
  return {
    ...{ staying, lost: names.filter((name) => lost.includes(name)) },
    surplus: surplus.map(nameOf),
    isAnyThere:
      staying.length > 0 || surplus.some((entry) => isMeant(entry, machineOf(entry, machines))),
  }
}

const machineOf = (entry: MachineEntry, machines: readonly ProvidedMachine[]) =>
  machines.find(({ metadata }) => metadata.name === nameOf(entry))
