import { expect, test } from 'vitest'
import { warningLines } from './warning-lines.ts'

test('warnings are sent once each, in quotes, with nothing that breaks a header', () => {
  expect(warningLines(['a "b"', 'c\r\nd', 'a "b"'])).toEqual([
    String.raw`299 - "a \"b\""`,
    '299 - "c??d"',
  ])
})

test('a long warning alone stays whole', () => {
  expect(warningLines(['x'.repeat(4000)])).toEqual([`299 - "${'x'.repeat(4000)}"`])
})

test('too many warnings are cut short, and those beyond 4,096 letters are left out', () => {
  const lines = warningLines(
    Array.from({ length: 300 }, (_, index) => `${index}${'x'.repeat(400)}`),
  )

  expect(lines).toHaveLength(16)
  expect(lines[15]).toBe(`299 - "15${'x'.repeat(254)}"`)
})
