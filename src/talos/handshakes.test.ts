import { expect, test } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { Handshakes } from './handshakes.ts'

const LIMITS = { handshakesAtOnce: 1, handshakeMs: { least: 25, most: 250 } }
const { signal } = new AbortController()

/** How long the next dial waits for its turn while one does not answer, after others took so long. */
async function waitAfter(...tookMs: number[]): Promise<number> {
  const clock = new FakeClock()
  const handshakes = new Handshakes({ clock, isCrowded: () => false }, LIMITS)
  for (const ms of tookMs) {
    const turn = await handshakes.take(signal)
    await clock.advance(ms)
    turn.answered()
    turn.over()
  }
  await handshakes.take(signal)
  const startMs = clock.monotonicMs()
  let isNext = false
  void handshakes.take(signal).then(() => {
    isNext = true
  })
  while (!isNext) await clock.advance(1)
  return clock.monotonicMs() - startMs
}

const times = (count: number, ms: number): number[] => Array.from({ length: count }, () => ms)

test('where nobody answers, those that are off hardly wait for each other', async () => {
  expect(await waitAfter()).toBe(25)
})

test('where machines answer, one has a few times as long as they take', async () => {
  expect(await waitAfter(...times(100, 20))).toBeGreaterThan(70)
  expect(await waitAfter(...times(100, 20))).toBeLessThanOrEqual(81)
})

test('where all take long, nobody is waited for longer than the most', async () => {
  expect(await waitAfter(...times(100, 200))).toBe(250)
})
