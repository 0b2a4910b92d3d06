import { expect, test } from 'vitest'
import type { Leaf, Shape, Struct } from '#machineconfig/shapes/shape.ts'
import { isMap, isZero, zeroOf, zeroOfLeaf } from './zero-value.ts'

const leaf = (
  reads: 'string' | 'bool' | 'duration' | 'disk-size' | 'fail-over-mac' | 'file-mode',
): Leaf => ({
  is: 'leaf',
  type: { reads },
  name: reads,
})
const text = leaf('string')
const struct = (name: string, fields: Record<string, Shape>): Struct => ({
  is: 'struct',
  name,
  fields: new Map(
    Object.entries(fields).map(([key, shape]) => [
      key,
      { name: key, shape, omit: 'empty', replaced: false, since: 5 },
    ]),
  ),
})

test('each leaf has a value that it has when it was never set', () => {
  expect(zeroOfLeaf(leaf('bool'))).toBe(false)
  expect(zeroOfLeaf(leaf('file-mode'))).toBe(0)
  expect(zeroOfLeaf(leaf('duration'))).toBe('0s')
  expect(zeroOfLeaf(leaf('disk-size'))).toBe('0 B')
  expect(zeroOfLeaf(leaf('fail-over-mac'))).toBe('none')
  expect(
    zeroOfLeaf({ is: 'leaf', type: { reads: 'enum', values: new Map(), zero: 'off' }, name: 'a' }),
  ).toBe('off')
  expect(zeroOfLeaf(text)).toBe('')
})

test('and so has everything else', () => {
  expect(zeroOf(text)).toBe('')
  expect(zeroOf({ is: 'list', of: text })).toEqual([])
  expect(zeroOf({ is: 'map', of: text })).toEqual({})
  expect(zeroOf({ is: 'pointer', to: text })).toBe(null)
  expect(zeroOf({ is: 'free', name: 'any' })).toBe(null)
  expect(zeroOf({ is: 'free', name: 'v1alpha1.Unstructured' })).toEqual({})
  expect(zeroOf(struct('a', {}))).toEqual({})
})

test('what is empty is zero, unless a pointer leads to it', () => {
  const list: Shape = { is: 'list', of: text }

  expect(isZero(text, undefined)).toBe(true)
  expect(isZero(text, '')).toBe(true)
  expect(isZero(text, 'a')).toBe(false)
  expect(isZero(list, [])).toBe(true)
  expect(isZero(list, [''])).toBe(false)
  expect(isZero({ is: 'map', of: text }, {})).toBe(true)
  expect(isZero({ is: 'pointer', to: text }, '')).toBe(false)
  expect(isZero({ is: 'pointer', to: text }, null)).toBe(true)
  expect(isZero({ is: 'free', name: 'any' }, {})).toBe(false)
  expect(isZero({ is: 'free', name: 'v1alpha1.Unstructured' }, {})).toBe(true)
  expect(isZero({ is: 'free', name: 'v1alpha1.Unstructured' }, 'a')).toBe(false)
})

test('a struct is zero when all its fields are', () => {
  const inner = struct('b', { list: { is: 'list', of: text } })
  const shape = struct('a', { text, inner })

  expect(isZero(shape, {})).toBe(true)
  expect(isZero(shape, { text: '', inner: { list: [] }, unknown: 'a' })).toBe(true)
  expect(isZero(shape, { inner: { list: ['a'] } })).toBe(false)
  expect(isZero(shape, 'a')).toBe(false)
})

test('an encryption without provider and keys is zero, whatever else it has', () => {
  const shape = struct('block.EncryptionSpec', {
    provider: text,
    keys: { is: 'list', of: text },
    cipher: text,
  })

  expect(isZero(shape, { cipher: 'a' })).toBe(true)
  expect(isZero(shape, { cipher: 'a', keys: ['b'] })).toBe(false)
})

test('lists and null are no maps', () => {
  expect([{}, [], null, 'a', undefined].map(isMap)).toEqual([true, false, false, false, false])
})
