import { expect, test } from 'vitest'
import { kinds } from './kinds.ts'
import { LABEL_PREFIX, makerLabelOf, RECONCILE_MODE } from './labels.ts'
import { Machine } from './machine.ts'

test('who made something is told by the stem of its kind', () => {
  expect(makerLabelOf(Machine)).toBe('talos.alperen.cloud/machine')
})

test('each kind has a label of its own, which is no other key of ours', () => {
  const keys = [...kinds.map(makerLabelOf), RECONCILE_MODE]

  expect(new Set(keys).size).toBe(keys.length)
})

test.each([...kinds.map(makerLabelOf), RECONCILE_MODE])(
  '%s is a key that Kubernetes takes',
  (key) => {
    const [prefix, name = ''] = key.split('/')

    expect(`${prefix}/`).toBe(LABEL_PREFIX)
    expect(name).toMatch(/^[a-zA-Z0-9]([-_.a-zA-Z0-9]{0,61}[a-zA-Z0-9])?$/)
  },
)
