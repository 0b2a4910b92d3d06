import fc from 'fast-check'
import { expect, test } from 'vitest'
import { naturalOrder } from './natural-order.ts'

const sorted = (...texts: string[]) => texts.toSorted(naturalOrder)

test('takes digits in a row for a number', () => {
  expect(sorted('/dev/sda10', '/dev/sda9', '/dev/sda')).toEqual([
    '/dev/sda',
    '/dev/sda9',
    '/dev/sda10',
  ])
  expect(sorted('rc.10', 'rc.2', 'beta.3')).toEqual(['beta.3', 'rc.2', 'rc.10'])
})

test('compares the rest character by character', () => {
  expect(sorted('worker', 'cp-1', 'cp', '1')).toEqual(['1', 'cp', 'cp-1', 'worker'])
})

test('tells apart what differs in zeros alone', () => {
  expect(sorted('a1', 'a01')).toEqual(['a01', 'a1'])
})

test('is an order: whoever comes first does so from both sides, and of three', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '-', '0', '1', '2') })
  fc.assert(
    fc.property(text, text, text, (a, b, c) => {
      expect(Math.sign(naturalOrder(a, b))).toBe(-Math.sign(naturalOrder(b, a)) + 0)
      expect(naturalOrder(a, b) === 0).toBe(a === b)
      if (naturalOrder(a, b) < 0 && naturalOrder(b, c) < 0) {
        expect(naturalOrder(a, c)).toBeLessThan(0)
      }
    }),
  )
})
