import { RESET_ACCEPTED } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Seen } from './world.ts'

/** A machine whose disk is wiped and that has nothing else to boot from does not come back. */
export const GONE_AFTER_MS = 5 * 60_000

/** Whether the machine said that it would reset itself. */
export const hasAcceptedReset = (machine: Machine): boolean => !Number.isNaN(acceptedAt(machine))

/** For minutes after it was last heard of: before it goes silent, Talos may drain its node for as long. */
export const isResetUnderWay = (machine: Machine, seen: Seen, now: Date): boolean =>
  now.getTime() - Math.max(acceptedAt(machine), silentSince(machine, seen, now)) <= GONE_AFTER_MS

const acceptedAt = ({ metadata }: Machine): number =>
  Date.parse(metadata.annotations?.[RESET_ACCEPTED] ?? '')

function silentSince({ status }: Machine, seen: Seen, now: Date): number {
  const reachable = status?.conditions?.find(({ type }) => type === 'Reachable')
  if (seen.is !== 'silent' || !reachable) return 0
  return reachable.status === 'True' ? now.getTime() : Date.parse(reachable.lastTransitionTime)
}
