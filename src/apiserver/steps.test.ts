import { expect, test } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { Pace } from './pace.ts'
import { atOnce, inTurns, type Steps } from './steps.ts'

function* counting(to: number, onStep: () => void = () => undefined): Steps<number> {
  for (let step = 0; step < to; step++) {
    onStep()
    yield
  }
  return to
}

test('what does not take long has its result at once', () => {
  expect(inTurns(new Pace(new FakeClock()), counting(5))).toBe(5)
  expect(atOnce(counting(5))).toBe(5)
})

test('what takes long is done in several turns of the event loop', async () => {
  let ms = 0
  const pace = new Pace(Object.assign(new FakeClock(), { monotonicMs: () => ms }))
  let turns = 0
  const turn = () => {
    turns += 1
    setImmediate(turn).unref()
  }
  turn()
  const result = inTurns(
    pace,
    counting(5, () => (ms += 10)),
  )

  expect(result).toBeInstanceOf(Promise)
  expect(await result).toBe(5)
  expect(turns).toBeGreaterThanOrEqual(5)
})

test('a failure is thrown at once, or rejects when it comes later', async () => {
  let ms = 0
  const pace = new Pace(Object.assign(new FakeClock(), { monotonicMs: () => ms }))
  const failing = function* (): Steps<void> {
    if (ms > 0) throw new Error('it broke')
    ms += 10
    yield
    throw new Error('it broke later')
  }

  await expect(inTurns(pace, failing())).rejects.toThrow('it broke later')
  if (pace.isSpent) await pace.later()
  expect(() => inTurns(pace, failing())).toThrow('it broke')
})
