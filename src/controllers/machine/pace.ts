import type { Machine } from '#api/machine.ts'
import { fingerprint } from '#base/fingerprint.ts'
import type { Pace } from './decision.ts'

const SOONEST_MS = 1_000
const SLOWEST_MS = { soon: 30_000, later: 120_000, settled: 300_000 }
// What has been so for ten minutes will not be otherwise within the next second.
const PART_OF_AGE = 1 / 10

/**
 * When to look at a machine again though nothing wakes us: often while it is on its way, rarely when it
 * has been so for long, and never at the same moment as all the others.
 */
export function wakeAt(machine: Machine, pace: Pace, now: Date): Date {
  const slowest = SLOWEST_MS[pace]
  const ms = pace === 'settled' ? slowest : Math.min(slowest, ageOf(machine, now) * PART_OF_AGE)
  return new Date(now.getTime() + Math.max(SOONEST_MS, ms) * spreadOf(machine))
}

/** How long its conditions have been what they are. */
function ageOf({ status }: Machine, now: Date): number {
  const changes = (status?.conditions ?? []).map(({ lastTransitionTime }) =>
    Date.parse(lastTransitionTime),
  )
  const last = Math.max(...changes.filter((at) => !Number.isNaN(at)), 0)
  return last === 0 ? 0 : Math.max(0, now.getTime() - last)
}

/** From 0.8 to 1.2, always the same for one machine. */
function spreadOf({ metadata }: Machine): number {
  const [first = 0, second = 0] = Buffer.from(
    fingerprint(metadata.uid ?? metadata.name),
    'base64url',
  )
  return 0.8 + (0.4 * (first * 256 + second)) / 65_536
}
