import { MACHINE_UUID } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { liveObject } from '#engine/live-object.ts'
import type { Reader } from '#runtime/reader.ts'
import { isRestrained } from '#runtime/reconcile-mode.ts'
import { lookAbove } from './look-above.ts'
import { isWipedWhenDeleted, type Parent, type Seen, type World } from './world.ts'

type Read = Pick<Reader, 'fetchAny' | 'get'>

/** What the API says of a machine that is about to be wiped or installed, and of what it belongs to, before it is. */
export async function lookAgain(
  machine: Machine,
  { parent, seen }: { parent: Extract<Parent, { is: 'there' }>; seen: Seen },
  read: Read,
): Promise<Pick<World, 'isOld' | 'keptBy'>> {
  const { isUnseen, keptBy } = await lookAbove(machine, { parent, seen }, read)
  return { isOld: isUnseen || (await isOld(machine, seen, read)), keptBy }
}

/** Whether the API has it that a machine which is about to be wiped or installed is not to be, which the cache does not show. */
async function isOld(machine: Machine, seen: Seen, read: Read): Promise<boolean> {
  const { metadata } = machine
  if (metadata.deletionTimestamp === undefined) return isOldClaim(machine, seen, read)
  if (seen.is !== 'member') return false
  const live = await liveObject(Machine, metadata.name, read)
  if (!live || live.metadata.uid !== metadata.uid || !isWipedWhenDeleted(live)) return true
  return isRestrained(live) && !isRestrained(machine)
}

/** An object of the same name may have had the machine before, and given it away since. */
async function isOldClaim({ metadata }: Machine, seen: Seen, read: Read): Promise<boolean> {
  if (seen.is !== 'waiting' || metadata.annotations?.[MACHINE_UUID] !== seen.uuid) return false
  const live = await liveObject(Machine, metadata.name, read)
  if (live?.metadata.uid !== metadata.uid || live?.metadata.deletionTimestamp) return true
  return live?.metadata.annotations?.[MACHINE_UUID] !== seen.uuid
}
