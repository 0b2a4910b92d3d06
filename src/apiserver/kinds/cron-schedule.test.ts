import { expect, test } from 'vitest'
import { scheduleProblem } from './cron-schedule.ts'

test.each(['* * * * *', '*/5 0-23/2 1,15 jan-MAR sun', '0 0 ? * *', '@hourly', '@every 1h30m'])(
  '%s is a schedule',
  (schedule) => {
    expect(scheduleProblem(schedule)).toBeUndefined()
  },
)

test.each([
  ['x', 'expected exactly 5 fields, found 1: [x]'],
  ['61 * * * *', 'end of range (61) above maximum (59): 61'],
  ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
  ['5-3 * * * *', 'beginning of range (5) beyond end of range (3): 5-3'],
  ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
  ['*/2/3 * * * *', 'too many slashes: */2/3'],
  ['*/0 * * * *', 'step of range should be a positive number: */0'],
  ['@sometimes', 'unrecognized descriptor: @sometimes'],
])('%s is none: %s', (schedule, problem) => {
  expect(scheduleProblem(schedule)).toBe(problem)
})
