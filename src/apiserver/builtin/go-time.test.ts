import { expect, test } from 'vitest'
import { canonicalMicroTime, canonicalTime, timeProblem } from './go-time.ts'

test.each([
  ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00Z'],
  ['2020-01-01T00:00:00+01:00', '2019-12-31T23:00:00Z'],
  ['2020-01-01T00:00:00.999Z', '2020-01-01T00:00:00Z'],
  ['2020-01-01T00:00:00,5Z', '2020-01-01T00:00:00Z'],
  ['2020-01-01T0:00:00Z', '2020-01-01T00:00:00Z'],
])('%s is written as %s', (text, canonical) => {
  expect(canonicalTime(text)).toBe(canonical)
})

// Each sentence is what kube-apiserver v1.36.4 says.
test.each([
  ['', ' as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"'],
  ['x', ' as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'],
  ['2020-01-01', ' as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"'],
  ['2020-1-01T00:00:00Z', ' as "2006-01-02T15:04:05Z07:00": cannot parse "1-01T00:00:00Z" as "01"'],
  ['2020-01-01T00:00:00', ' as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"'],
  ['2020-01-01T00:00:00.Z', ' as "2006-01-02T15:04:05Z07:00": cannot parse ".Z" as "Z07:00"'],
  ['2020-13-01T00:00:00Z', ': month out of range'],
  ['2020-02-30T00:00:00Z', ': day out of range'],
  ['2020-01-01T25:00:00Z', ': hour out of range'],
  ['2020-01-01T00:60:00Z', ': minute out of range'],
  ['2020-01-01T00:00:60Z', ': second out of range'],
  ['2020-01-01T00:00:00+25:00', ': time zone offset hour out of range'],
  ['2020-01-01T00:00:00Zx', ': extra text: "x"'],
])('"%s" is refused in the words of Go', (text, why) => {
  expect(() => canonicalTime(text)).toThrow(`parsing time "${text}"${why}`)
  expect(timeProblem(text)).toBe(`parsing time "${text}"${why}`)
})

test('a time that is one has no problem', () => {
  expect(timeProblem('2020-01-01T0:00:00,5Z')).toBeUndefined()
})

test('a time with microseconds keeps them, in UTC', () => {
  expect(canonicalMicroTime('2020-01-01T00:00:00.123456+01:00')).toBe('2019-12-31T23:00:00.123456Z')
})

test.each([
  ['2020-01-01T00:00:00Z', 'cannot parse "Z" as ".000000"'],
  ['2020-01-01T00:00:00.1Z', 'cannot parse ".1Z" as ".000000"'],
  ['2020-01-01T00:00:00.1234567Z', 'cannot parse "7Z" as "Z07:00"'],
])('a time with microseconds has six digits of them, unlike %s', (text, why) => {
  expect(() => canonicalMicroTime(text)).toThrow(
    `parsing time "${text}" as "2006-01-02T15:04:05.000000Z07:00": ${why}`,
  )
})
