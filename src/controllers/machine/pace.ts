import type { Machine } from '#api/machine.ts'
import { fingerprint } from '#base/fingerprint.ts'
import type { Pace } from './decision.ts'

interface Span {
  soonestMs: number
  slowestMs: number
  /** How much of the time that it has been so is waited once more. */
  partOfAge: number
}

// What has been so for ten minutes will not be otherwise within the next second.
const SPANS: Record<Pace, Span> = {
  soon: { soonestMs: 1_000, slowestMs: 30_000, partOfAge: 1 / 10 },
  // Each look at one that is off takes seconds, and what it waits for wakes it.
  silent: { soonestMs: 5_000, slowestMs: 90_000, partOfAge: 1 },
  later: { soonestMs: 1_000, slowestMs: 120_000, partOfAge: 1 / 10 },
  settled: { soonestMs: 300_000, slowestMs: 300_000, partOfAge: 0 },
}

/**
 * When to look at a machine again though nothing wakes us: often while it is on its way, rarely when it
 * has been so for long, and never at the same moment as all the others.
 */
export function wakeAt(machine: Machine, pace: Pace, now: Date): Date {
  const { soonestMs, slowestMs, partOfAge } = SPANS[pace]
  const ms = Math.min(slowestMs, Math.max(soonestMs, ageOf(machine, now) * partOfAge))
  return new Date(now.getTime() + ms * spreadOf(machine))
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
