import { expect, test } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { Limiter, type Priority } from './limiter.ts'

const never = new AbortController().signal

function aLimiter({ perSecond = 10, burst = 2, atOnce = 100 } = {}) {
  const clock = new FakeClock()
  const limiter = new Limiter({ clock, perSecond, burst, atOnce })
  const made: string[] = []
  const call = (name: string, priority: Priority = 'normal', signal = never) =>
    limiter.turn(priority, signal).then(() => {
      made.push(name)
    })
  return { clock, limiter, made, call }
}

test('a burst goes at once, the rest at the rate', async () => {
  const { clock, made, call } = aLimiter()
  for (const name of ['a', 'b', 'c', 'd']) void call(name)

  await clock.advance(0)
  expect(made).toEqual(['a', 'b'])
  await clock.advance(100)
  expect(made).toEqual(['a', 'b', 'c'])
  await clock.advance(100)
  expect(made).toEqual(['a', 'b', 'c', 'd'])
})

test('what a user looks at goes before the rest', async () => {
  const { clock, made, call } = aLimiter({ burst: 1 })
  void call('first')
  void call('background', 'background')
  void call('normal')
  void call('user', 'user')

  await clock.advance(1_000)

  expect(made).toEqual(['first', 'user', 'normal', 'background'])
})

test('a pause holds back those who were refused, and then they go', async () => {
  const { clock, limiter, made, call } = aLimiter()
  limiter.pause('user', 5_000)
  void call('a', 'user')

  await clock.advance(4_900)
  expect(made).toEqual([])
  await clock.advance(200)
  expect(made).toEqual(['a'])
})

test('a pause holds back the less important too, and never the more important', async () => {
  const { clock, limiter, made, call } = aLimiter({ burst: 100 })
  limiter.pause('normal', 5_000)
  for (const priority of ['background', 'normal', 'user', 'lease'] as const) {
    void call(priority, priority)
  }

  await clock.advance(4_900)
  expect(made).toEqual(['user', 'lease'])
  await clock.advance(200)
  expect(made).toEqual(['user', 'lease', 'normal', 'background'])
})

test('who comes after those who are held back goes when there is a token, and not when they do', async () => {
  const { clock, limiter, made, call } = aLimiter({ burst: 1 })
  limiter.pause('background', 60_000)
  void call('held back', 'background')
  await call('first')
  void call('second')

  await clock.advance(150)

  expect(made).toEqual(['first', 'second'])
})

test('a shorter pause does not cut a longer one', async () => {
  const { clock, limiter, made, call } = aLimiter()
  limiter.pause('normal', 5_000)
  limiter.pause('normal', 1_000)
  void call('a')

  await clock.advance(4_000)

  expect(made).toEqual([])
})

test('a lease waits for nothing', async () => {
  const { clock, limiter, made, call } = aLimiter({ burst: 1, atOnce: 1 })
  await call('first')
  limiter.pause('lease', 5_000)
  void call('waits')

  await call('lease', 'lease')
  await call('another lease', 'lease')

  expect(made).toEqual(['first', 'lease', 'another lease'])
  expect(clock.monotonicMs()).toBe(0)
})

test('a lease counts: those after it wait longer', async () => {
  const { clock, made, call } = aLimiter({ burst: 1 })
  await call('lease', 'lease')
  void call('next')

  await clock.advance(50)
  expect(made).toEqual(['lease'])
  await clock.advance(60)

  expect(made).toEqual(['lease', 'next'])
})

test('however many keep coming, those who wait get their turn', async () => {
  const { clock, made, call } = aLimiter({ burst: 1 })
  await call('first')

  for (let count = 0; count < 1_000; count++) {
    void call(`later ${count}`)
    await clock.advance(0.5)
  }
  await clock.advance(20)

  expect(made).toEqual(['first', ...Array.from({ length: 5 }, (_, count) => `later ${count}`)])
})

test('a call that is given up makes room, and nothing is left waiting', async () => {
  const { clock, limiter, made, call } = aLimiter({ burst: 1 })
  const stop = new AbortController()
  void call('first')
  const givenUp = call('given up', 'user', stop.signal)
  void call('second')

  stop.abort(new Error('enough'))
  await expect(givenUp).rejects.toThrow('enough')
  await clock.advance(1_000)

  expect(made).toEqual(['first', 'second'])
  expect(limiter.waiting).toBe(0)
  expect(clock.waiting).toBe(0)
})

test('only so many are under way at once; the next goes when one is over', async () => {
  const { limiter, call, made } = aLimiter({ burst: 100, atOnce: 2 })
  const first = await limiter.turn('normal', never)
  await limiter.turn('normal', never)
  const third = call('third')

  expect(made).toEqual([])
  first()
  await third

  expect(made).toEqual(['third'])
})

test('saying twice that a call is over makes room for one', async () => {
  const { limiter } = aLimiter({ burst: 100, atOnce: 1 })
  const release = await limiter.turn('normal', never)
  void limiter.turn('normal', never)
  void limiter.turn('normal', never)

  release()
  release()

  expect(limiter.waiting).toBe(1)
})
