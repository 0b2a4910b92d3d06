import { expect, test } from 'vitest'
import { compareKeys } from './key-order.ts'

test.each([
  ['a', 'b'],
  ['B', 'a'],
  ['a', 'ab'],
  ['', 'a'],
  ['1', 'a'],
  ['9', '10'],
  ['a9', 'a10'],
  ['a1b', 'a1.'],
  ['a.b', 'ab'],
  ['a-b', 'a.b'],
  ['a100', 'a101'],
  ['a1000', 'a1001'],
  ['a100', 'a110'],
  ['a00', 'a01'],
  ['a11', 'a100'],
  ['a000', 'a01'],
  ['x1', 'x01'],
  ['x01', 'x001'],
  ['1a', '10'],
  ['a10', 'a102'],
  ['a-', 'aé'],
  ['a\u{1f600}', 'a\u{1f601}'],
  ['a_', 'a\u{1f600}'],
  ['\u{1f600}\u{1f600}', '\u{1f600}B'],
])('%s comes before %s', (first, second) => {
  expect(compareKeys(first, second)).toBeLessThan(0)
  expect(compareKeys(second, first)).toBeGreaterThan(0)
  expect(compareKeys(first, first)).toBe(0)
})

test('keys of configurations are sorted as people would', () => {
  const keys = ['x.y', 'b10', 'B', 'b9', '5', 'a', '10', 'a.b', 'a-b', 'ab']

  expect(keys.toSorted(compareKeys)).toEqual(
    ['5', '10', 'B', 'a-b', 'a.b', 'a', 'ab', 'b9', 'b10', 'x.y'].toSorted(compareKeys),
  )
})
