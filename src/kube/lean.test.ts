import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Lean } from './lean.ts'

const typeMeta = { apiVersion: 'v1', kind: 'ConfigMap' }

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

  expect(new Lean(typeMeta).strip(object)).toEqual({
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

test('an object that says nothing of its kind, as in a list of a built-in one, is told of it', () => {
  expect(new Lean(typeMeta).strip({ metadata: { name: 'a' } })).toEqual({
    ...typeMeta,
    metadata: { name: 'a' },
  })
})

test('sharing words changes none, however many objects there are and whatever is in them', () => {
  const lean = new Lean(typeMeta)
  const aValue = fc.jsonValue({ depthSize: 'small' })

  fc.assert(
    fc.property(fc.string(), aValue, aValue, (name, spec, status) => {
      const object = { ...typeMeta, metadata: { name }, spec, status }

      expect(lean.strip(structuredClone(object))).toEqual(object)
    }),
    { numRuns: 500 },
  )
})
