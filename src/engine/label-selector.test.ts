import { expect, test } from 'vitest'
import type { LabelSelector } from '#api/foreign.ts'
import { selects } from './label-selector.ts'

const labels = { app: 'web', tier: 'front' }
const by = (operator: string, key: string, ...values: string[]): LabelSelector => ({
  matchExpressions: [{ key, operator, values }],
})

test.each<[string, LabelSelector, boolean]>([
  ['nothing', {}, true],
  ['a label', { matchLabels: { app: 'web' } }, true],
  ['a label of another value', { matchLabels: { app: 'db' } }, false],
  ['two labels, of which one is not there', { matchLabels: { app: 'web', zone: 'a' } }, false],
  ['one of', by('In', 'app', 'db', 'web'), true],
  ['one of, of what is not there', by('In', 'zone', 'a'), false],
  ['none of', by('NotIn', 'app', 'db'), true],
  ['none of, of what is not there', by('NotIn', 'zone', 'a'), true],
  ['none of, and it is', by('NotIn', 'app', 'web'), false],
  ['existence', { matchExpressions: [{ key: 'app', operator: 'Exists' }] }, true],
  ['existence of what is not there', by('Exists', 'zone'), false],
  ['absence', by('DoesNotExist', 'zone'), true],
  ['absence of what is there', by('DoesNotExist', 'app'), false],
  ['something that Kubernetes does not know', by('Like', 'app', 'web'), false],
  ['both', { matchLabels: { app: 'web' }, ...by('In', 'tier', 'back') }, false],
])('by %s', (_what, selector, isSelected) => {
  expect(selects(selector, labels)).toBe(isSelected)
})
