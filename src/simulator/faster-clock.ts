import type { Clock } from '#base/clock.ts'

/**
 * A clock by which everything takes less time. The time of day stays the true one, for others judge
 * certificates by it. At `Infinity` nothing waits: what is due later is then still done later than what
 * is due earlier only if it was asked for later.
 */
export function fasterClock(clock: Clock, speed: number): Clock {
  if (!(speed > 0)) throw new RangeError('speed must be greater than 0')
  if (speed === 1) return clock
  const factor = speed === Infinity ? 1 : speed
  return {
    now: () => clock.now(),
    monotonicMs: () => clock.monotonicMs() * factor,
    after: (delayMs, callback) => clock.after(delayMs / speed, callback),
  }
}
