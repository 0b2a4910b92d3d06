import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { Pace, paceOf } from './pace.ts'

/** A pace by a clock that is moved by hand, even in the middle of something. */
function aPace() {
  let ms = 0
  const clock = Object.assign(new FakeClock(), { monotonicMs: () => ms })
  return { pace: new Pace(clock), work: (duration: number) => (ms += duration) }
}

test('there is time for a while, and again in a later turn of the event loop', async () => {
  const { pace, work } = aPace()
  expect(pace.isSpent).toBe(false)
  work(4)
  expect(pace.isSpent).toBe(false)
  work(1)
  expect(pace.isSpent).toBe(true)

  let turns = 0
  const counting = nextTurn().then(() => turns++)
  if (pace.isSpent) await pace.later()

  expect(turns).toBe(1)
  await counting
})

test('nobody waits who comes when there is time', async () => {
  const { pace } = aPace()
  let isLater = false
  setImmediate(() => {
    isLater = true
  })
  if (pace.isSpent) await pace.later()

  expect(isLater).toBe(false)
})

test('those who wait go on in their order, as many in a turn as there is time for', async () => {
  const { pace, work } = aPace()
  const done: string[] = []
  const doing = async (name: string, duration: number) => {
    if (pace.isSpent) await pace.later()
    work(duration)
    done.push(name)
  }
  const all = ['a', 'b', 'c', 'd', 'e'].map((name) => doing(name, 3))
  await Promise.resolve()
  expect(done).toEqual(['a', 'b'])

  await nextTurn()
  all.push(doing('late', 3))
  await nextTurn()
  expect(done).toEqual(['a', 'b', 'c', 'd'])

  await Promise.all(all)
  expect(done).toEqual(['a', 'b', 'c', 'd', 'e', 'late'])
})

test('everyone gets a turn, however long the others take', async () => {
  const { pace, work } = aPace()
  const order: number[] = []
  await Promise.all(
    [1, 2, 3].map(async (number) => {
      for (let step = 0; step < 3; step++) {
        if (pace.isSpent) await pace.later()
        work(100)
        order.push(number)
      }
    }),
  )

  // The first one was done with its first step, and asked for its next, before the others came.
  expect(order).toEqual([1, 1, 2, 3, 1, 2, 3, 2, 3])
})

test('all who live by a clock share a pace', () => {
  const clock = new FakeClock()

  expect(paceOf(clock)).toBe(paceOf(clock))
  expect(paceOf(clock)).not.toBe(paceOf(new FakeClock()))
})

test('whoever waits goes on in a later turn, even if that begins late', async () => {
  let ms = 0
  const late = Object.assign(new FakeClock(), { monotonicMs: () => (ms += 100) })
  const pace = new Pace(late)
  let turns = 0
  for (; turns < 3; turns++) if (pace.isSpent || pace.isSpent) await pace.later()

  expect(turns).toBe(3)
})
