import { expect, test } from 'vitest'
import type { Clock } from '#base/clock.ts'
import { systemClock } from '#base/clock.ts'
import { until } from '#test/until.ts'
import { EventLoopLag } from './event-loop-lag.ts'

/** A clock whose one timer fires as late as the test says. */
function aBusyClock() {
  let nowMs = 1_000
  let timer: { atMs: number; callback: () => void } | undefined
  const clock: Clock = {
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    after: (delayMs, callback) => {
      timer = { atMs: nowMs + delayMs, callback }
      return () => {
        timer = undefined
      }
    },
  }
  return {
    clock,
    isWaiting: () => timer !== undefined,
    /** The loop does one thing for so long, and looks at its timers only then. */
    blockFor: (ms: number) => {
      nowMs += ms
      if (timer && timer.atMs <= nowMs) timer.callback()
    },
    runFor: (ms: number) => {
      for (const endMs = nowMs + ms; timer && timer.atMs <= endMs; ) {
        nowMs = timer.atMs
        timer.callback()
      }
    },
  }
}

test('a loop that is never busy is never late', () => {
  const { clock, runFor } = aBusyClock()
  const lag = new EventLoopLag({ clock })

  runFor(120_000)

  expect(lag.seconds).toBe(0)
})

test('a loop that was blocked stays late for a while, and not for ever', () => {
  const { clock, runFor, blockFor } = aBusyClock()
  const lag = new EventLoopLag({ clock, windowMs: 30_000 })

  blockFor(8_500)
  blockFor(1_500)
  expect(lag.seconds).toBe(8)
  runFor(14_000)
  expect(lag.seconds).toBe(8)
  runFor(31_000)
  expect(lag.seconds).toBe(0)
})

test('a timer that is late right now counts before it fires', () => {
  let nowMs = 0
  const clock: Clock = { ...aBusyClock().clock, monotonicMs: () => nowMs }
  const lag = new EventLoopLag({ clock })

  nowMs = 5_500

  expect(lag.seconds).toBe(5)
})

test('nothing runs on when it is disposed of', () => {
  const { clock, isWaiting } = aBusyClock()
  const lag = new EventLoopLag({ clock })
  expect(isWaiting()).toBe(true)

  lag[Symbol.dispose]()

  expect(isWaiting()).toBe(false)
})

test('real work that blocks the real loop is seen', async () => {
  using lag = new EventLoopLag({ clock: systemClock })

  for (const endMs = performance.now() + 700; performance.now() < endMs; );

  const seconds = await until(
    'lag',
    async () => lag.seconds,
    (seen) => seen > 0,
  )
  expect(seconds).toBeGreaterThan(0.15)
})
