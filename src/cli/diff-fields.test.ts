import { expect, test } from 'vitest'
import { fieldsThatDiffer } from './diff-fields.ts'

const object = (spec: object | undefined, annotations: Record<string, string> = {}) => ({
  metadata: { name: 'a', annotations },
  ...(spec && { spec }),
})

test('fields are named by where they are, and lists as a whole', () => {
  const before = object({ a: { b: 1, c: [1], d: 2 }, same: { x: [] } })
  const after = object({ a: { b: 1, c: [2], 'x/y': 1 }, same: { x: [] } })

  expect(fieldsThatDiffer(before, after)).toEqual(['spec.a.c', 'spec.a.d', 'spec.a["x/y"]'])
})

test('annotations count, but not what kubectl notes for itself, and neither does a status', () => {
  const before = { ...object({}, { mine: 'a', 'kubectl.kubernetes.io/x': 'a' }), status: 1 }
  const after = { ...object({}, { mine: 'b', 'kubectl.kubernetes.io/x': 'b' }), status: 2 }

  expect(fieldsThatDiffer(before, after)).toEqual(['metadata.annotations.mine'])
  expect(fieldsThatDiffer(object(undefined), object({}))).toEqual(['spec'])
})
