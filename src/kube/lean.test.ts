import { expect, test } from 'vitest'
import { Lean } from './lean.ts'

test('what nobody reads is gone, and the rest is as it was', () => {
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'a',
      namespace: 'default',
      labels: { app: 'x' },
      annotations: { note: 'y', 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
      managedFields: [{ manager: 'kubectl' }],
    },
    data: { key: 'value' },
  }

  expect(new Lean().strip(object)).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'a',
      namespace: 'default',
      labels: { app: 'x' },
      annotations: { note: 'y' },
    },
    data: { key: 'value' },
  })
})

test('an object without labels, annotations and namespace is left alone', () => {
  expect(new Lean().strip({ metadata: { name: 'a' } })).toEqual({ metadata: { name: 'a' } })
})
