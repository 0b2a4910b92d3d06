import type { Wanted } from './drafts.ts'
import { entriesOf, nameOf, partsOf } from './entries.ts'
import { IN_PLACE_OF, placeOf } from './own.ts'
import type { World } from './world.ts'

/** The Machines that are wanted. One that is to be made under a name that is still in a list says in whose place it is. */
export function inTheirPlaces(
  wanted: readonly Wanted[],
  { machines, talos }: Pick<World, 'machines' | 'talos'>,
): Wanted[] {
  const own = new Map(machines.map((machine) => [machine.metadata.name, machine]))
  const listed = new Map(
    partsOf(talos)
      .flatMap(entriesOf)
      .map((entry) => [nameOf(entry), entry.machineRef?.uid]),
  )
  return wanted.map((one) => {
    const machine = own.get(one.name)
    const place = machine ? placeOf(machine) : listed.get(one.name)
    return place === undefined ? one : inPlaceOf(place, one)
  })
}

const inPlaceOf = (uid: string, { draft, ...one }: Wanted): Wanted => {
  const annotations = { ...draft.metadata.annotations, [IN_PLACE_OF]: uid }
  return { ...one, draft: { ...draft, metadata: { ...draft.metadata, annotations } } }
}
