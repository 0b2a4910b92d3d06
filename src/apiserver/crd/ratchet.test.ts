import { describe, expect, it } from 'vitest'
import type { Schema } from '#apiserver/schema.ts'
import { validateValue } from './validate-object.ts'

const schema: Schema = {
  type: 'object',
  required: ['must'],
  properties: {
    kind: { type: 'string', maxLength: 1 },
    a: { type: 'string', maxLength: 1 },
    inner: { type: 'object', required: ['x'], properties: { x: {}, y: { type: 'string' } } },
    list: { type: 'array', items: { type: 'string', maxLength: 1 } },
    map: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: {
        type: 'object',
        properties: { k: { type: 'string' }, v: { type: 'string', maxLength: 1 } },
      },
    },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, required: ['z'] },
    must: { type: 'string' },
  },
}

const old = {
  kind: 'Long',
  a: 'long',
  inner: { y: '1' },
  list: ['long', 'b'],
  map: [
    { k: '1', v: 'long' },
    { k: '2', v: 'b' },
  ],
  free: { f: 1 },
  must: 'm',
}

const fieldsAfter = (change: object): string[] =>
  validateValue(schema, { ...structuredClone(old), ...change }, { old }).map(({ field }) => field)

describe('errors in what a change leaves alone', () => {
  it.each<[what: string, change: object, fields: string[]]>([
    ['are forgiven', { must: 'n' }, ['kind', 'free.z']],
    ['are told where it has changed', { a: 'longer' }, ['kind', 'a', 'free.z']],
    [
      'are told when a field beside them has changed, if they are about both',
      { inner: { y: '2' } },
      ['kind', 'inner.x', 'free.z'],
    ],
    [
      'are told of all items of a list that has changed',
      { list: ['long', 'c'] },
      ['kind', 'list[0]', 'free.z'],
    ],
    [
      'are forgiven in items of a map list, in any order',
      { map: old.map.toReversed() },
      ['kind', 'free.z'],
    ],
    [
      'are told of items of a map list that have changed',
      { map: [{ k: '1', v: 'longer' }] },
      ['kind', 'map[0].v', 'free.z'],
    ],
    [
      'are told of items with another key',
      { map: [{ k: '9', v: 'long' }] },
      ['kind', 'map[0].v', 'free.z'],
    ],
  ])('%s', (_, change, fields) => {
    expect(fieldsAfter(change)).toEqual(fields)
  })

  it('are told of what is not there any more', () => {
    const { must: _, ...rest } = old

    expect(validateValue(schema, rest, { old }).map(({ field }) => field)).toContain('must')
  })
})
