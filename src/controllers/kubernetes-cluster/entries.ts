import type { ProvidedMachine } from '#api/provided-machine.ts'
import type { MachineEntry, Parent } from '#engine/pool.ts'
import { isLeaving, placeOf } from './own.ts'
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

/**
 * Whether the Machine of an entry is gone, by what the API has under its name. Another one may be the same, put back from a
 * backup, unless it was made because that one was gone; and whoever controls it, there is a machine behind it.
 */
export function isGone(
  { machineRef: { uid } = {} }: MachineEntry,
  found: ProvidedMachine | undefined,
): boolean {
  if (!found || isLeaving(found)) return true
  return uid !== undefined && uid !== found.metadata.uid && placeOf(found) === uid
}

/** Entries whose Machine is not among these, or is another one, or on its way out. */
export const missingIn = ({ machines, talos }: Pick<World, 'machines' | 'talos'>): MachineEntry[] =>
  partsOf(talos)
    .flatMap(entriesOf)
    .filter((entry) => nameOf(entry) !== '' && !isMeant(entry, machineOf(entry, machines)))

/** Entries of a part whose Machine is not seen to be the cluster's own, nor known to be gone: they stay, whatever is wanted. */
function foreignIn(part: Parent, { machines, lost }: Pick<World, 'machines' | 'lost'>): string[] {
  const known = new Set([...machines.map(({ metadata }) => metadata.name), ...lost, ''])
  return entriesOf(part)
    .map(nameOf)
    .filter((name) => !known.has(name))
}

/** How the entries of a part stand to what is wanted and to what is there, by the names of their Machines. */
interface Standing {
  /** Wanted, and not known to be gone. */
  staying: string[]
  /** Wanted, and the Machine that was meant is gone. */
  lost: string[]
  /** Not wanted, and nobody else's. */
  surplus: string[]
  /** Whether at least one is not known to be gone, wanted or not. */
  isAnyThere: boolean
}

export function standingOf(
  part: Parent,
  wanted: readonly string[],
  world: Pick<World, 'machines' | 'lost'>,
): Standing {
  const all = entriesOf(part).map(nameOf)
  const isLost = (name: string) => world.lost.includes(name)
  const names = all.filter((name) => wanted.includes(name))
  const kept = [...wanted, ...foreignIn(part, world)]
  return {
    staying: names.filter((name) => !isLost(name)),
    lost: names.filter(isLost),
    surplus: all.filter((name) => !kept.includes(name)),
    isAnyThere: all.some((name) => !isLost(name)),
  }
}

const machineOf = (entry: MachineEntry, machines: readonly ProvidedMachine[]) =>
  machines.find(({ metadata }) => metadata.name === nameOf(entry))
