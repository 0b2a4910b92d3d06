import { expect, test } from 'vitest'
import { limitIn, numberIn } from './selection.ts'

const query = (text: string) => new URLSearchParams(text)

test.each([
  ['limit=3', 3],
  ['limit=0', undefined],
  ['limit=-2', undefined],
  ['limit=', undefined],
  ['', undefined],
])('the limit in "%s" is %s', (text, limit) => {
  expect(limitIn(query(text))).toBe(limit)
})

test.each([
  ['1.5', 'invalid syntax'],
  ['x', 'invalid syntax'],
  ['9223372036854775808', 'value out of range'],
  ['-9223372036854775809', 'value out of range'],
])('%s is refused: %s', (text, why) => {
  expect(() => numberIn(query(`n=${text}`), 'n')).toThrow(
    `strconv.ParseInt: parsing "${text}": ${why}`,
  )
})
