import type { ProvidedMachine } from '#api/provided-machine.ts'
import { entriesOf, nameOf, partsOf } from './entries.ts'
import { isLeaving } from './own.ts'
import { says } from './says.ts'
import { isControlPlane, surplusOf } from './surplus.ts'
import type { Step, World } from './world.ts'

/** What makes Machines of those that are wanted: new ones in their order, then what differs. */
export function makingSteps(world: World): Step[] {
  const free = new Set(world.free)
  const own = new Map(world.machines.map((machine) => [machine.metadata.name, machine]))
  return [
    ...world.wanted
      .filter(({ name }) => free.has(name))
      .map(({ name, role }) => ({ do: 'createMachine' as const, machine: name, role })),
    ...world.wanted.flatMap(({ name, draft }) => {
      const machine = own.get(name)
      const isFine = !machine || isLeaving(machine) || says(machine, draft)
      return isFine ? [] : [{ do: 'updateMachine' as const, machine: name }]
    }),
  ]
}

/** What takes those away that are too much. */
export const removalSteps = (world: World): Step[] =>
  removalsIn(world).map(({ metadata }) => ({
    ...{ do: 'removeMachine' as const, machine: metadata.name, uid: metadata.uid ?? '' },
    because: 'the spec has it no more',
  }))

/** Which Machines may go now: workers first, control planes one after the other, none that the engine still has. */
function removalsIn(world: World): ProvidedMachine[] {
  if (world.isOld) return []
  const surplus = surplusOf(world)
  const workers = surplus.filter((machine) => !isControlPlane(machine))
  const mayGo = (machine: ProvidedMachine) => !isLeaving(machine) && !isInUse(machine, world)
  if (workers.length > 0) return workers.filter(mayGo)
  return surplus.some(isLeaving) ? [] : surplus.filter(mayGo).slice(0, 1)
}

function isInUse({ metadata }: ProvidedMachine, { held, talos }: World): boolean {
  const isListed = partsOf(talos).some((part) =>
    entriesOf(part).some((entry) => nameOf(entry) === metadata.name),
  )
  return isListed || held.includes(metadata.name)
}

/** Why some Machines are not there though nothing has failed; undefined if all are, or are made now. */
export function waitingFor({ wanted, machines, free }: World): string | undefined {
  const leaving = machines.filter(isLeaving).map(({ metadata }) => metadata.name)
  const replaced = wanted.filter(({ name }) => leaving.includes(name)).map(({ name }) => name)
  if (replaced.length > 0) {
    return `somebody deleted ${replaced.join(', ')}: made anew as soon as the old one is gone`
  }
  const there = new Set([...machines.map(({ metadata }) => metadata.name), ...free])
  const missing = wanted.filter(({ name }) => !there.has(name)).length
  return missing > 0 ? `${missing} more Machines are to be made` : undefined
}
