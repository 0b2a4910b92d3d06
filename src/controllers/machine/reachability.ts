import { MACHINE_UUID } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { isTrue } from '#engine/pool-machines.ts'
import { type Notice, no, unknown, type Verdict, yes } from '#runtime/plan.ts'
import type { Seen } from './world.ts'

/** That the machine answers. */
export const answered = (seen: Seen): Verdict =>
  seen.is === 'waiting'
    ? yes('InMaintenance', 'the machine answers, and waits for its configuration')
    : yes('Answers', 'the machine answers as the one that it is to be')

/** Whether the machine that an object stands for answers, which is all that is asked of one that leaves. */
export function reachability({ metadata, spec }: Machine, seen: Seen): Verdict {
  const claimed = metadata.annotations?.[MACHINE_UUID]
  switch (seen.is) {
    case 'unasked':
      return unknown('NotAsked', 'the machine was not asked: the keys of its cluster are not known')
    case 'silent':
      return no(UNREACHABLE, seen.message)
    case 'stranger':
      return no('IdentityUnknown', seen.message)
    default:
      return seen.uuid === claimed
        ? answered(seen)
        : no('AnotherMachine', `the machine at ${spec?.endpoint} is ${seen.uuid}`)
  }
}

const UNREACHABLE = 'Unreachable'

/** That a machine which was well does not answer any more, or answers again. Told when it changes. */
export function reachabilityNotices(machine: Machine, seen: Seen): Notice[] {
  const { state, conditions = [] } = machine.status ?? {}
  const where = `at ${machine.spec?.endpoint}`
  if (seen.is === 'silent' && isTrue(machine, 'Ready')) {
    // Without what the connection failed of, which differs from one time to the next.
    const message = `the machine ${where} does not answer any more. What runs on it may run on`
    return [{ type: 'Warning', reason: UNREACHABLE, message, hasHappened: true }]
  }
  const wasSilent = conditions.some(
    ({ type, reason }) => type === 'Reachable' && reason === UNREACHABLE,
  )
  const isBack = seen.is === 'member' && seen.uuid === machine.metadata.annotations?.[MACHINE_UUID]
  // While it installs or boots it is not there for a while, and nobody has to be told.
  if (!isBack || !wasSilent || state !== 'Available') return []
  const message = `the machine ${where} answers again`
  return [{ type: 'Normal', reason: 'Reachable', message, hasHappened: true }]
}
