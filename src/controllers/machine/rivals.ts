import { MACHINE_UUID } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { canonicalAddress } from '#engine/pool-address.ts'
import { keyOf } from '#kube/cache.ts'
import { isWipedWhenDeleted, type Rival, type Seen } from './world.ts'

/**
 * Other objects that are after the machine which answers: those that have claimed it; and while it waits
 * for its configuration and is nobody's, those with its address that were made before this one.
 */
export function rivalsOf(machine: Machine, seen: Seen, all: readonly Machine[]): Rival[] {
  if (!('uuid' in seen)) return []
  const claimed = claimOf(machine)
  // Whoever is there instead of our machine is nothing to compete for.
  if (claimed !== undefined && claimed !== seen.uuid) return []
  const key = keyOf(machine)
  const others = all.filter((other) => keyOf(other) !== key)
  return others.flatMap((other): Rival[] => {
    const name = keyOf(other)
    const isLettingGo = other.metadata.deletionTimestamp !== undefined && isWipedWhenDeleted(other)
    if (claimOf(other) === seen.uuid) return [{ name, what: 'uuid', isLettingGo }]
    // What has another machine by now is at this address by mistake.
    if (seen.is !== 'waiting' || claimed !== undefined || claimOf(other) !== undefined) return []
    const isFirst = addressOf(other) === addressOf(machine) && isBefore(other, machine)
    return isFirst ? [{ name, what: 'address', isLettingGo }] : []
  })
}

const claimOf = ({ metadata }: Machine) => metadata.annotations?.[MACHINE_UUID]

const addressOf = ({ spec }: Machine) => canonicalAddress(spec?.endpoint ?? '') ?? spec?.endpoint

function isBefore(one: Machine, other: Machine): boolean {
  const [first = '', second = ''] = [one, other].map(({ metadata }) => metadata.creationTimestamp)
  return first === second ? keyOf(one) < keyOf(other) : first < second
}
