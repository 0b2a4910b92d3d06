import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatDuration, parseDuration } from './duration.ts'

test.each([
  ['0', 0],
  ['0s', 0],
  ['500ms', 500],
  ['30s', 30_000],
  ['5m', 300_000],
  ['1h30m', 5_400_000],
  ['1.5h', 5_400_000],
  ['.5s', 500],
  ['2us', 0.002],
  ['2µs', 0.002],
  ['1h0m1s', 3_601_000],
])('%s is read as Go reads it', (text, ms) => {
  expect(parseDuration(text)).toEqual({ ms })
})

test.each([
  ['', 'it is empty'],
  ['30', 'a number needs its unit, as in 30s'],
  ['1h30', 'a number needs its unit, as in 30s'],
  ['3d', 'the units are h, m, s, ms, us and ns'],
  ['30S', 'the units are h, m, s, ms, us and ns'],
  ['30 s', 'the units are h, m, s, ms, us and ns'],
  ['5s..', 'it is no duration'],
  ['soon', 'it is no duration'],
  ['.s', 'it is no duration'],
  ['-5s', 'a duration has no sign'],
  ['1000000h', 'it is longer than a hundred years'],
])('"%s" is refused with the reason', (text, reason) => {
  expect(() => parseDuration(text)).toThrow(reason)
})

test.each([
  [0, '0s'],
  [500, '500ms'],
  [1_500, '1.5s'],
  [30_000, '30s'],
  [90_000, '1m30s'],
  [3_600_000, '1h'],
  [5_400_000, '1h30m'],
])('%d ms are written as %s', (ms, text) => {
  expect(formatDuration({ ms })).toBe(text)
})

test('what was written is read back as the same', () => {
  fc.assert(
    fc.property(fc.nat({ max: 10 * 365 * 24 * 3_600_000 }), (ms) => {
      expect(parseDuration(formatDuration({ ms })).ms).toBeCloseTo(ms, 3)
    }),
  )
})
