import { describe, expect, it } from 'vitest'
import type { Fields } from '#apiserver/objects.ts'
import type { Schema } from '#apiserver/schema.ts'
import { atOnce } from '#apiserver/steps.ts'
import { setDefaults } from './default.ts'
import { isPruned, prune } from './prune.ts'

const around = (a: Schema): Schema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: { a } } },
})
const named: Schema = { type: 'object', properties: { n: { type: 'string' } } }

describe('what a schema does not know', () => {
  it.each<[what: string, schema: Schema, ...[value: unknown, kept: unknown, unknown: string[]]]>([
    ['goes', named, { n: 'x', b: { c: 1 } }, { n: 'x' }, ['spec.a.b']],
    [
      'goes from lists',
      { type: 'array', items: named },
      [{ n: 'x', b: 1 }],
      [{ n: 'x' }],
      ['spec.a[0].b'],
    ],
    [
      'goes from maps',
      { type: 'object', additionalProperties: named },
      { k: { b: 1 } },
      { k: {} },
      ['spec.a.k.b'],
    ],
    [
      'goes from below a map of anything',
      { type: 'object', additionalProperties: true },
      { k: { b: 1 }, l: 2 },
      { k: {}, l: 2 },
      ['spec.a.k.b'],
    ],
    [
      'stays where the schema says so',
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      { b: { c: 1 } },
      { b: { c: 1 } },
      [],
    ],
    [
      'goes again from known fields below that',
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { k: named } },
      { b: 1, k: { c: 1 } },
      { b: 1, k: {} },
      ['spec.a.k.c'],
    ],
    [
      'stays in items of a list that keeps it',
      { type: 'array', 'x-kubernetes-preserve-unknown-fields': true, items: named },
      [{ b: 1 }],
      [{ b: 1 }],
      [],
    ],
    [
      'goes from embedded objects, but for what makes them objects',
      { ...named, 'x-kubernetes-embedded-resource': true },
      { apiVersion: 'v1', kind: 'X', metadata: { q: 1 }, b: 1 },
      { apiVersion: 'v1', kind: 'X', metadata: { q: 1 } },
      ['spec.a.b'],
    ],
    ['goes with a null that may not be', named, { n: null }, {}, []],
    [
      'leaves a null that may be',
      { type: 'object', properties: { n: { type: 'string', nullable: true } } },
      { n: null },
      { n: null },
      [],
    ],
    ['leaves a null in a list', { type: 'array', items: named }, [null], [null], []],
  ])('%s', (_, schema, ...[value, kept, unknown]) => {
    const object: Fields = { apiVersion: 'v1', kind: 'A', metadata: {}, spec: { a: value } }

    expect(prune(around(schema), object)).toEqual(unknown)
    expect(object).toEqual({ apiVersion: 'v1', kind: 'A', metadata: {}, spec: { a: kept } })
  })

  it('is told in order, and at the root as well', () => {
    expect(prune(named, { z: 1, b: 2, n: 'x' })).toEqual(['b', 'z'])
  })

  it('is found without being changed', () => {
    const value = { n: 'x', b: 1 }

    expect(atOnce(isPruned(named, value))).toBe(false)
    expect(value).toEqual({ n: 'x', b: 1 })
    expect(atOnce(isPruned(named, { n: 'x' }))).toBe(true)
  })
})

describe('what was left out', () => {
  it.each<[what: string, schema: Schema, ...[value: unknown, filled: unknown]]>([
    [
      'is filled in',
      { type: 'object', properties: { b: { type: 'integer', default: 5 } } },
      {},
      { b: 5 },
    ],
    [
      'is filled in below a default',
      {
        type: 'object',
        properties: { b: { type: 'object', default: {}, properties: { c: { default: 1 } } } },
      },
      {},
      { b: { c: 1 } },
    ],
    [
      'is filled into items',
      { type: 'array', items: { type: 'object', properties: { b: { default: 1 } } } },
      [{}, { b: 2 }],
      [{ b: 1 }, { b: 2 }],
    ],
    [
      'is filled into maps',
      {
        type: 'object',
        additionalProperties: { type: 'object', properties: { b: { default: 1 } } },
      },
      { k: {} },
      { k: { b: 1 } },
    ],
    [
      'replaces a null that may not be',
      { type: 'object', properties: { b: { type: 'string', default: 'x' } } },
      { b: null },
      { b: 'x' },
    ],
    [
      'leaves a null that may be',
      { type: 'object', properties: { b: { type: 'string', nullable: true, default: 'x' } } },
      { b: null },
      { b: null },
    ],
    [
      'replaces nulls in lists',
      { type: 'array', items: { type: 'string', default: 'x' } },
      ['a', null],
      ['a', 'x'],
    ],
    [
      'leaves what is there',
      { type: 'object', properties: { b: { type: 'string', default: 'x' } } },
      { b: '' },
      { b: '' },
    ],
  ])('%s', (_, schema, ...[value, filled]) => {
    const object = { spec: { a: value } }

    setDefaults(around(schema), object)
    setDefaults(around(schema), object)

    expect(object).toEqual({ spec: { a: filled } })
  })

  it('gets a copy of its own', () => {
    const schema: Schema = {
      type: 'object',
      properties: { b: { type: 'object', default: { c: [1] } } },
    }
    const [one, two]: { b?: { c: number[] } }[] = [{}, {}]

    setDefaults(schema, one)
    setDefaults(schema, two)
    one?.b?.c.push(2)

    expect(two).toEqual({ b: { c: [1] } })
  })
})

it('keeps a wrong null if told to, and drops unknown fields all the same', () => {
  const object: Fields = { spec: { a: { n: null, b: 1 } } }

  expect(prune(around(named), object, { keepsNulls: true })).toEqual(['spec.a.b'])
  expect(object).toEqual({ spec: { a: { n: null } } })
})
