import { OS_INSTALLED } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { machineName } from '#engine/pool.ts'
import { isReadyNow } from '#engine/pool-machines.ts'
import { entriesOf, isMeant, nameOf, partsOf } from './entries.ts'
import { isLeaving } from './own.ts'
import type { Step, World } from './world.ts'

/**
 * Tells providers of which Machines they may take the boot medium away: of those alone whose machine was seen to run as a
 * node of the cluster, since they were made. Whoever loses it before has nothing left to boot from.
 */
export function installedSteps({ machines, talos }: Pick<World, 'machines' | 'talos'>): Step[] {
  const own = new Map(machines.map((machine) => [machine.metadata.name, machine]))
  const ready = new Set(talos.machines.filter(isInstalled).map(({ metadata }) => metadata.name))
  return partsOf(talos).flatMap((part) =>
    entriesOf(part).flatMap((entry) => {
      const machine = own.get(nameOf(entry))
      const isNew = machine && machine.metadata.annotations?.[OS_INSTALLED] !== 'true'
      const name = machineName(part.metadata.name, { reference: nameOf(entry) })
      if (!isNew || !isMeant(entry, machine) || !ready.has(name)) return []
      const { name: said, uid = '' } = machine.metadata
      return [{ do: 'markInstalled' as const, machine: said, uid }]
    }),
  )
}

/** One that is on its way out may stand for a Machine that had the name before. */
const isInstalled = (machine: Machine): boolean => isReadyNow(machine) && !isLeaving(machine)
