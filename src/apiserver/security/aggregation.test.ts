import { expect, test } from 'vitest'
import type { Fields } from '#apiserver/objects.ts'
import { aggregatedRules } from './aggregation.ts'

const part = (name: string, labels: Fields, ...rules: unknown[]): Fields => ({
  metadata: { name, labels },
  rules,
})

const gathering = (...clusterRoleSelectors: unknown[]): Fields => ({
  metadata: { name: 'whole', labels: { a: '1' } },
  aggregationRule: { clusterRoleSelectors },
  rules: ['old'],
})

test('a role gathers the rules of those that it selects, by name and each once', () => {
  const whole = gathering({ matchLabels: { a: '1' } }, { matchLabels: { b: '1' } })
  const all = [
    part('z', { a: '1' }, { verbs: ['z'] }),
    part('y', { a: '1' }, { verbs: ['y'] }, { verbs: ['x'] }),
    part('x', { b: '1' }, { verbs: ['x'] }, { verbs: ['b'] }),
    part('w', { a: '2' }, { verbs: ['w'] }),
    whole,
  ]

  expect(aggregatedRules(whole, all)).toEqual([
    { verbs: ['y'] },
    { verbs: ['x'] },
    { verbs: ['z'] },
    { verbs: ['b'] },
  ])
})

test.each([
  [{ key: 'a', operator: 'In', values: ['1', '2'] }, ['one', 'two']],
  [{ key: 'a', operator: 'NotIn', values: ['1'] }, ['none', 'two']],
  [{ key: 'a', operator: 'Exists' }, ['one', 'two']],
  [{ key: 'a', operator: 'DoesNotExist' }, ['none']],
  [{ key: 'a', operator: 'Nonsense' }, []],
])('a role can select by %j', (expression, chosen) => {
  const all = [
    part('none', {}, 'none'),
    part('one', { a: '1' }, 'one'),
    part('two', { a: '2' }, 'two'),
  ]

  expect(aggregatedRules(gathering({ matchExpressions: [expression] }), all)).toEqual(chosen)
})

test('a role that gathers nothing keeps its rules', () => {
  expect(aggregatedRules(part('plain', {}, 'rule'), [])).toBeUndefined()
  expect(aggregatedRules(gathering(), [])).toBeUndefined()
  expect(aggregatedRules(gathering({ matchLabels: { a: '1' } }), [])).toEqual([])
})
