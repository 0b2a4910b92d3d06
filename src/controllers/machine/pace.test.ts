import { expect, test } from 'vitest'
import { CONFIG_TRIED, UPGRADE } from '#api/labels.ts'
import { triedText } from '#engine/config-record.ts'
import { upgradeText } from '#engine/upgrade-record.ts'
import { aMachine } from '#test/builders.ts'
import { NOW } from '#test/machine-world.ts'
import type { Pace } from './decision.ts'
import { wakeAt } from './pace.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

const aged = (ms: number, uid = 'one') =>
  aMachine({
    metadata: { uid },
    spec: { workerRef: { name: 'prod' } },
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

const waitOf = (
  machine: ReturnType<typeof aMachine>,
  pace: Pace,
  { alike = 1, now = NOW }: { alike?: number; now?: Date } = {},
) => wakeAt(machine, pace, { now, alike }).getTime() - now.getTime()

test.each<{ pace: Pace; ageMs: number; expected: number }>([
  { pace: 'soon', ageMs: 0, expected: SECOND },
  { pace: 'soon', ageMs: MINUTE, expected: 6 * SECOND },
  { pace: 'soon', ageMs: 1_440 * MINUTE, expected: 30 * SECOND },
  { pace: 'silent', ageMs: 0, expected: 5 * SECOND },
  { pace: 'silent', ageMs: 10 * SECOND, expected: 10 * SECOND },
  { pace: 'later', ageMs: 0, expected: SECOND },
  { pace: 'later', ageMs: 1_440 * MINUTE, expected: 120 * SECOND },
])('$pace means about $expected ms, for what has been so for $ageMs ms', (one) => {
  const wait = waitOf(aged(one.ageMs), one.pace)

  expect(wait).toBeGreaterThanOrEqual(one.expected * 0.8)
  expect(wait).toBeLessThanOrEqual(one.expected * 1.2)
})

/** How far apart two looks are that follow each other by themselves. */
function betweenLooks(pace: Pace, alike: number, over = {}): number {
  const machine = { ...aged(1_440 * MINUTE), ...over }
  const now = new Date(NOW.getTime() + waitOf(machine, pace, { alike }))
  return waitOf(machine, pace, { alike, now })
}

test.each<{ pace: Pace; alike: number; expected: number }>([
  { pace: 'settled', alike: 1, expected: 300 * SECOND },
  { pace: 'settled', alike: 200, expected: 300 * SECOND },
  { pace: 'settled', alike: 1_000, expected: 1_500 * SECOND },
  { pace: 'silent', alike: 1, expected: 90 * SECOND },
  { pace: 'silent', alike: 90, expected: 90 * SECOND },
  { pace: 'silent', alike: 300, expected: 300 * SECOND },
])('one of $alike that are $pace is looked at every $expected ms', ({ pace, alike, expected }) => {
  expect(Math.round(betweenLooks(pace, alike))).toBe(expected)
})

test('a machine of a control plane is looked at more often than a worker, where there are many', () => {
  const spec = { controlPlaneRef: { name: 'prod' } }

  expect(Math.round(betweenLooks('settled', 1_500, { spec }))).toBe(1_050 * SECOND)
  expect(Math.round(betweenLooks('settled', 400, { spec }))).toBe(300 * SECOND)
})

test('a machine that has just fallen silent is tried anew, however many are so', () => {
  expect(waitOf(aged(0), 'silent', { alike: 10_000 })).toBe(5 * SECOND)
})

test('a machine of which nothing is known yet is looked at soon', () => {
  expect(waitOf(aMachine(), 'soon')).toBeLessThanOrEqual(1.2 * SECOND)
})

test.each([
  {
    what: 'boot another version',
    annotation: UPGRADE,
    text: (at: Date) =>
      upgradeText({
        ...{ phase: 'restarting', image: 'i:v1', from: 'v1.13.0', boot: 'b', times: 1, at },
      }),
  },
  {
    what: 'take another configuration',
    annotation: CONFIG_TRIED,
    text: (at: Date) => triedText({ config: 'c', times: 1, at, mode: 'reboot', boot: 'b' }),
  },
])(
  'a machine that waited for its turn for an hour is looked at often once it was told to $what',
  (one) => {
    const told = (ms: number) => {
      const machine = aged(60 * MINUTE)
      const text = one.text(new Date(NOW.getTime() - ms))
      return {
        ...machine,
        metadata: { ...machine.metadata, annotations: { [one.annotation]: text } },
      }
    }

    expect(waitOf(told(2 * SECOND), 'soon')).toBeLessThanOrEqual(1.2 * SECOND)
    expect(waitOf(told(60 * MINUTE), 'soon')).toBeGreaterThanOrEqual(24 * SECOND)
  },
)

test('a moment that is none, or has not come yet, is as good as now', () => {
  const broken = aged(0)
  const [condition] = broken.status?.conditions ?? []
  if (condition) condition.lastTransitionTime = 'never'

  expect(waitOf(broken, 'later')).toBeLessThanOrEqual(1.2 * SECOND)
  expect(waitOf(aged(-MINUTE), 'later')).toBeLessThanOrEqual(1.2 * SECOND)
})

test('each machine has its own time, always the same, and many are spread evenly', () => {
  const waits = Array.from({ length: 400 }, (_, at) => waitOf(aged(0, `uid-${at}`), 'settled'))
  const quarters = [30, 105, 180, 255].map(
    (from) => waits.filter((wait) => wait > from * SECOND && wait <= (from + 75) * SECOND).length,
  )

  expect(waitOf(aged(0, 'uid-7'), 'settled')).toBe(waits[7])
  for (const count of quarters) {
    expect(count).toBeGreaterThan(70)
    expect(count).toBeLessThan(130)
  }
})

test('nobody is looked at who has just been', () => {
  for (let at = 0; at < 400; at++) {
    expect(waitOf(aged(0, `uid-${at}`), 'settled')).toBeGreaterThanOrEqual(30 * SECOND)
  }
})

test.each<{ pace: Pace; alike: number; least: number; most: number }>([
  { pace: 'settled', alike: 1_000, least: 8, most: 25 },
  { pace: 'silent', alike: 300, least: 8, most: 25 },
  { pace: 'silent', alike: 90, least: 2, most: 10 },
])('of $alike that are $pace at least $least are looked at together, and never $most', (one) => {
  const { pace, alike, least, most } = one
  const together = new Map<number, number>()
  for (let at = 0; at < alike; at++) {
    const wait = waitOf(aged(1_440 * MINUTE, `uid-${at}`), pace, { alike })
    together.set(wait, (together.get(wait) ?? 0) + 1)
  }
  const sizes = [...together.values()]

  expect(alike / sizes.length).toBeGreaterThan(least)
  expect(Math.max(...sizes)).toBeLessThan(most)
})
