import { expect, it } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { fasterClock } from './faster-clock.ts'

it('waits a part of the time, and measures all of it', async () => {
  const clock = new FakeClock()
  const faster = fasterClock(clock, 10)
  const fired: number[] = []
  faster.after(1000, () => fired.push(faster.monotonicMs()))
  await clock.advance(99)
  const early = [...fired]
  await clock.advance(1)

  expect(early).toEqual([])
  expect(fired).toEqual([1000])
  expect(faster.now()).toEqual(clock.now())
})

it('does not wait at all at infinite speed', async () => {
  const clock = new FakeClock()
  const fired: string[] = []
  const faster = fasterClock(clock, Infinity)
  faster.after(3_600_000, () => fired.push('later'))
  faster.after(1, () => fired.push('sooner'))()
  await clock.advance(0)

  expect(fired).toEqual(['later'])
})

it.each([0, -1, Number.NaN])('refuses a speed of %d', (speed) => {
  expect(() => fasterClock(new FakeClock(), speed)).toThrow('speed must be greater than 0')
})
