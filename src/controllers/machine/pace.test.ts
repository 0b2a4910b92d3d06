import { expect, test } from 'vitest'
import { aMachine } from '#test/builders.ts'
import { NOW } from '#test/machine-world.ts'
import type { Pace } from './decision.ts'
import { wakeAt } from './pace.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

const aged = (ms: number, uid = 'one') =>
  aMachine({
    metadata: { uid },
    status: {
      conditions: [
        {
          type: 'Ready',
          status: 'False',
          reason: 'X',
          message: '',
          lastTransitionTime: new Date(NOW.getTime() - ms).toISOString(),
        },
      ],
    },
  })

const waitOf = (machine: ReturnType<typeof aMachine>, pace: Pace) =>
  wakeAt(machine, pace, NOW).getTime() - NOW.getTime()

test.each<{ pace: Pace; ageMs: number; expected: number }>([
  { pace: 'soon', ageMs: 0, expected: SECOND },
  { pace: 'soon', ageMs: MINUTE, expected: 6 * SECOND },
  { pace: 'soon', ageMs: 1_440 * MINUTE, expected: 30 * SECOND },
  { pace: 'silent', ageMs: 0, expected: 5 * SECOND },
  { pace: 'silent', ageMs: 20 * SECOND, expected: 20 * SECOND },
  { pace: 'silent', ageMs: 1_440 * MINUTE, expected: 90 * SECOND },
  { pace: 'later', ageMs: 0, expected: SECOND },
  { pace: 'later', ageMs: 1_440 * MINUTE, expected: 120 * SECOND },
  { pace: 'settled', ageMs: 0, expected: 300 * SECOND },
  { pace: 'settled', ageMs: 1_440 * MINUTE, expected: 300 * SECOND },
])('$pace means about $expected ms, for what has been so for $ageMs ms', (one) => {
  const wait = waitOf(aged(one.ageMs), one.pace)

  expect(wait).toBeGreaterThanOrEqual(one.expected * 0.8)
  expect(wait).toBeLessThanOrEqual(one.expected * 1.2)
})

test('a machine of which nothing is known yet is looked at soon', () => {
  expect(waitOf(aMachine(), 'soon')).toBeLessThanOrEqual(1.2 * SECOND)
})

test('a moment that is none, or has not come yet, is as good as now', () => {
  const broken = aged(0)
  const [condition] = broken.status?.conditions ?? []
  if (condition) condition.lastTransitionTime = 'never'

  expect(waitOf(broken, 'later')).toBeLessThanOrEqual(1.2 * SECOND)
  expect(waitOf(aged(-MINUTE), 'later')).toBeLessThanOrEqual(1.2 * SECOND)
})

test('each machine has its own time, always the same, and many are spread evenly', () => {
  const waits = Array.from({ length: 400 }, (_, at) => waitOf(aged(0, `uid-${at}`), 'settled'))
  const [shortest, longest] = [Math.min(...waits), Math.max(...waits)]
  const late = waits.filter((wait) => wait > 300 * SECOND).length

  expect(waitOf(aged(0, 'uid-7'), 'settled')).toBe(waits[7])
  expect(longest - shortest).toBeGreaterThan(100 * SECOND)
  expect(late).toBeGreaterThan(150)
  expect(late).toBeLessThan(250)
})
