import { Machine } from '#api/machine.ts'
import { liveObject } from '#engine/live-object.ts'
import { canonicalAddress } from '#engine/pool-address.ts'
import { answererFor, claimOf } from '#engine/who-answers.ts'
import { keyOf } from '#kube/cache.ts'
import type { Reader } from '#runtime/reader.ts'
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
    if (claimOf(other) === seen.uuid) {
      const elsewhere = elsewhereOf(other, machine, seen)
      return [{ name, what: 'uuid', isLettingGo, ...(elsewhere && { elsewhere }) }]
    }
    // What has another machine by now is at this address by mistake.
    if (seen.is !== 'waiting' || claimed !== undefined || claimOf(other) !== undefined) return []
    const isFirst = addressOf(other) === addressOf(machine) && isBefore(other, machine)
    return isFirst ? [{ name, what: 'address', isLettingGo }] : []
  })
}

/**
 * The same for a machine that goes. Whoever has it too keeps it from being wiped, so the API is asked whether
 * that is so still: of those in the namespace, which is where we may ask.
 */
export async function confirmedRivalsOf(
  machine: Machine,
  seen: Seen,
  { all, read }: { all: readonly Machine[]; read: Pick<Reader, 'fetchAny'> },
): Promise<Rival[]> {
  const doubted = rivalsOf(machine, seen, all)
    .filter(({ what, isLettingGo }) => what === 'uuid' && !isLettingGo)
    .map(({ name }) => name)
  const { namespace } = machine.metadata
  const confirmed = await Promise.all(
    all.map(async (one) => {
      const isAsked = doubted.includes(keyOf(one)) && one.metadata.namespace === namespace
      return isAsked ? liveObject(Machine, one.metadata.name, read) : one
    }),
  )
  return rivalsOf(
    machine,
    seen,
    confirmed.filter((one) => one !== undefined),
  )
}

/** Who has the machine besides, and keeps it. */
export const keeperAmong = (rivals: readonly Rival[]): Rival | undefined =>
  rivals.find(({ what, isLettingGo }) => what === 'uuid' && !isLettingGo)

/** Who has a machine at this address. Of a machine that is not of its cluster nobody is told more than that it is there. */
export const holderOf = (machine: Machine, all: readonly Machine[]): string | undefined =>
  all
    .filter((other) => claimOf(other) !== undefined && addressOf(other) === addressOf(machine))
    .map(keyOf)
    .filter((key) => key !== keyOf(machine))
    .sort()[0]

function elsewhereOf(other: Machine, machine: Machine, seen: Seen): Rival['elsewhere'] {
  const address = addressOf(other)
  if (address === undefined || address === addressOf(machine)) return undefined
  const isRunning = answererFor(other).is === 'known' && other.status?.stage !== 'maintenance'
  return {
    ...{ address, isOfSamePool: poolOf(other) === poolOf(machine) },
    areTwo: seen.is === 'waiting' && isRunning,
  }
}

const poolOf = ({ metadata, spec }: Machine): string => {
  const { workerRef, controlPlaneRef } = spec ?? {}
  return JSON.stringify([metadata.namespace, workerRef?.name ?? null, controlPlaneRef?.name])
}

const addressOf = ({ spec }: Machine) => canonicalAddress(spec?.endpoint ?? '') ?? spec?.endpoint

function isBefore(one: Machine, other: Machine): boolean {
  const [first = '', second = ''] = [one, other].map(({ metadata }) => metadata.creationTimestamp)
  return first === second ? keyOf(one) < keyOf(other) : first < second
}
