import { expect, test } from 'vitest'
import { problemsOf, SUBNET } from './soak-life.ts'
import { FAULTS, scheduleOf } from './soak-schedule.ts'

// More are in `make conformance`, and whoever wants others says which: SOAK_FROM, SOAK_SEEDS.
const SEEDS = Array.from({ length: 50 }, (_, at) => at + 1)
const LONG = 120_000

test.each(SEEDS)(
  'whatever goes wrong in life %i, the cluster becomes Ready, then nothing is written, and it goes without a trace',
  { timeout: LONG },
  async (seed) => {
    expect(await problemsOf(scheduleOf(seed), SUBNET)).toBeUndefined()
  },
)

test('a seed is the same story each time', () => {
  expect(scheduleOf(17)).toEqual(scheduleOf(17))
  expect(scheduleOf(17)).not.toEqual({ ...scheduleOf(18), seed: 17 })
})

test('the stories have every fault in them, and clusters of every shape', () => {
  const schedules = Array.from({ length: 1_000 }, (_, at) => scheduleOf(at + 1))
  const faults = schedules.flatMap(({ creation, settled, deletion }) => [
    ...creation.map(({ is }) => `creation: ${is}`),
    ...settled.map(({ is }) => `settled: ${is}`),
    ...deletion.map(({ is }) => `deletion: ${is}`),
  ])
  const shapes = new Set(schedules.map(({ shape }) => `${shape.controlPlanes}+${shape.workers}`))

  expect(new Set(faults).size).toBe(3 * FAULTS.length)
  expect([...shapes].sort()).toEqual(['1+0', '1+1', '3+1'])
})
