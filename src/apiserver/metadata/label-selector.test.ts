import { expect, test } from 'vitest'
import { isEmptySelector, selects, validateLabelSelector } from './label-selector.ts'

const where = (operator: string, ...values: string[]) => ({
  matchExpressions: [{ key: 'a', operator, ...(values.length > 0 && { values }) }],
})

test.each([
  [{}, {}, true],
  [{ matchLabels: { a: 'b' } }, { a: 'b', c: 'd' }, true],
  [{ matchLabels: { a: 'b' } }, { a: 'c' }, false],
  [{ matchLabels: { a: 'b' } }, {}, false],
  [where('In', 'b', 'c'), { a: 'c' }, true],
  [where('In', 'b'), {}, false],
  [where('NotIn', 'b'), { a: 'b' }, false],
  [where('NotIn', 'b'), {}, true],
  [where('Exists'), { a: '' }, true],
  [where('Exists'), {}, false],
  [where('DoesNotExist'), {}, true],
  [where('DoesNotExist'), { a: 'b' }, false],
  [where('Like', 'b'), { a: 'b' }, false],
])('%j and %j: %s', (selector, labels, isSelected) => {
  expect(selects(selector, labels)).toBe(isSelected)
})

test('a selector that asks for nothing is empty', () => {
  expect(isEmptySelector({ matchLabels: {} })).toBe(true)
  expect(isEmptySelector(where('Exists'))).toBe(false)
})

test.each([
  [
    where('In'),
    "s.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
  ],
  [
    where('Exists', 'x'),
    "s.matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
  ],
  [
    where('Like', 'x'),
    's.matchExpressions[0].operator: Invalid value: "Like": not a valid selector operator',
  ],
])('%j is none', (selector, problem) => {
  const [first] = validateLabelSelector(selector, 's')

  expect(`${first?.field}: ${first?.message}`).toBe(problem)
})

test('a label that every object seems to have is not there unless somebody set it', () => {
  const exists = { matchExpressions: [{ key: 'constructor', operator: 'Exists' }] }

  expect(selects(exists, {})).toBe(false)
  expect(selects(exists, { constructor: 'x' })).toBe(true)
})
