import { expect, test } from 'vitest'
import type { KubeObject } from '#api/meta.ts'
import { applyPatch } from './diff-last-applied.ts'

const NOTE = 'kubectl.kubernetes.io/last-applied-configuration'
const object = (spec: object, metadata: object = {}) => ({
  ...{ apiVersion: 'v1', kind: 'K', spec },
  metadata: { name: 'a', ...metadata },
})
const noted = (note: string): KubeObject => ({
  metadata: { name: 'a', annotations: { [NOTE]: note } },
})

test('what was applied before and is not said any more goes, at any depth', () => {
  const before = object({ a: { b: 1, c: 2 }, d: [1, 2], e: 'x' }, { annotations: {} })

  expect(applyPatch(object({ a: { b: 3 }, d: [1] }), noted(JSON.stringify(before)))).toEqual({
    ...{ apiVersion: 'v1', kind: 'K', metadata: { name: 'a', annotations: {} } },
    spec: { a: { b: 3, c: null }, d: [1], e: null },
  })
})

test('what others annotated stays, and what is taken off goes', () => {
  const before = object({}, { annotations: { mine: 'x' }, labels: { a: 'b' } })

  expect(applyPatch(object({}), noted(JSON.stringify(before)))).toMatchObject({
    metadata: { annotations: { mine: null }, labels: null },
  })
})

test.each([undefined, noted('no JSON'), noted('[]'), { metadata: { name: 'a' } }])(
  'an object without such a note is left to the server',
  (live) => {
    expect(applyPatch(object({}), live)).toBeUndefined()
  },
)
