import { expect, test } from 'vitest'
import { ageOf, shortDuration } from './age.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

test.each([
  [-5, '<invalid>'],
  [-1, '0s'],
  [0, '0s'],
  [119.9, '119s'],
  [120, '2m'],
  [121, '2m1s'],
  [10 * MINUTE + 5, '10m'],
  [179 * MINUTE, '179m'],
  [3 * HOUR, '3h'],
  [3 * HOUR + 61, '3h1m'],
  [8 * HOUR + 61, '8h'],
  [47 * HOUR, '47h'],
  [48 * HOUR, '2d'],
  [49 * HOUR, '2d1h'],
  [8 * DAY + HOUR, '8d'],
  [729 * DAY, '729d'],
  [730 * DAY, '2y'],
  [732 * DAY, '2y2d'],
  [8 * 365 * DAY + DAY, '8y'],
])('%d seconds are %s', (seconds, shown) => {
  expect(shortDuration(seconds)).toBe(shown)
})

test('an age is the time since a timestamp', () => {
  const now = new Date('2026-01-01T00:01:00Z')

  expect(ageOf('2026-01-01T00:00:00Z', now)).toBe('60s')
  expect(ageOf(undefined, now)).toBe('<unknown>')
  expect(ageOf('soon', now)).toBe('<unknown>')
})
