import { describe, expect, it } from 'vitest'
import type { Schema } from '#apiserver/schema.ts'
import { validateValue } from './validate-object.ts'

/** What kube-apiserver v1.36.4 says of `spec.a`, a field with this schema, when it has this value. */
const said: readonly [schema: Schema, value: unknown, ...errors: string[]][] = [
  [
    { type: 'integer' },
    'x',
    'spec.a: Invalid value: "string": spec.a in body must be of type integer: "string"',
  ],
  [
    { type: 'integer' },
    2.5,
    'spec.a: Invalid value: "number": spec.a in body must be of type integer: "number"',
    '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.a',
  ],
  [{ type: 'number' }, 3],
  [
    { type: 'string' },
    null,
    'spec.a: Invalid value: "null": spec.a in body must be of type string: "null"',
  ],
  [{ type: 'string', nullable: true }, null],
  [
    { type: 'string', nullable: true, enum: ['x'] },
    null,
    'spec.a: Unsupported value: null: supported values: "x"',
  ],
  [
    { 'x-kubernetes-int-or-string': true },
    true,
    'spec.a: Invalid value: "boolean": spec.a in body must be of type integer,string: "boolean"',
  ],
  [
    { type: 'string', enum: ['b', 'a'] },
    'zz',
    'spec.a: Unsupported value: "zz": supported values: "b", "a"',
  ],
  [
    { type: 'integer', enum: [1, 2] },
    3,
    'spec.a: Unsupported value: 3: supported values: "1", "2"',
  ],
  [{ type: 'string', maxLength: 3 }, 'abcdé', 'spec.a: Too long: may not be more than 3 bytes'],
  [{ type: 'string', maxLength: 3 }, '😀😀😀'],
  [
    { type: 'string', minLength: 2 },
    '😀',
    'spec.a: Invalid value: "😀": spec.a in body should be at least 2 chars long',
  ],
  [
    { type: 'string', pattern: '^a+$' },
    'b',
    'spec.a: Invalid value: "b": spec.a in body should match \'^a+$\'',
  ],
  [
    { type: 'string', pattern: '^a+$', minLength: 2 },
    'b',
    'spec.a: Invalid value: "b": spec.a in body should be at least 2 chars long',
  ],
  [
    { type: 'integer', minimum: 1 },
    0,
    'spec.a: Invalid value: 0: spec.a in body should be greater than or equal to 1',
  ],
  [
    { type: 'integer', minimum: 1, exclusiveMinimum: true },
    1,
    'spec.a: Invalid value: 1: spec.a in body should be greater than 1',
  ],
  [
    { type: 'integer', maximum: 5, exclusiveMaximum: true },
    5,
    'spec.a: Invalid value: 5: spec.a in body should be less than 5',
  ],
  [
    { type: 'number', maximum: 2.5 },
    3,
    'spec.a: Invalid value: 3: spec.a in body should be less than or equal to 2',
  ],
  [
    { type: 'number', maximum: 2.5 },
    2.6,
    'spec.a: Invalid value: 2.6: spec.a in body should be less than or equal to 2.5',
  ],
  [
    { type: 'integer', multipleOf: 2 },
    3,
    'spec.a: Invalid value: 3: spec.a in body should be a multiple of 2',
  ],
  [{ type: 'number', multipleOf: 0.1 }, 0.3],
  [
    { type: 'integer', format: 'int32' },
    3e9,
    '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.a',
  ],
  [
    { type: 'integer', format: 'int32' },
    true,
    'spec.a: Invalid value: "": spec.a in body must be of type int32: ""',
  ],
  [
    { type: 'string', format: 'date-time' },
    'x',
    'spec.a: Invalid value: "x": spec.a in body must be of type date-time: "x"',
  ],
  [
    { type: 'string', format: 'date-time' },
    5,
    'spec.a: Invalid value: "int64": spec.a in body must be of type date-time: "int64"',
  ],
  [{ type: 'string', format: 'date-time' }, ['x']],
  [{ type: 'string', format: 'whatever' }, 'x'],
  [
    { type: 'array', maxItems: 1, items: { type: 'string' } },
    ['a', 2],
    'spec.a[1]: Invalid value: "integer": spec.a[1] in body must be of type string: "integer"',
    'spec.a: Too many: 2: must have at most 1 item',
  ],
  [
    { type: 'array', minItems: 1, items: { type: 'string' } },
    [],
    'spec.a: Invalid value: 0: spec.a in body should have at least 1 items',
  ],
  [
    { type: 'object', maxProperties: 1, additionalProperties: true },
    { a: 1, b: 2 },
    'spec.a: Too many: 2: must have at most 1 item',
  ],
  [
    { type: 'object', minProperties: 1, additionalProperties: true },
    {},
    'spec.a: Invalid value: 0: spec.a in body should have at least 1 properties',
  ],
  [
    { type: 'object', additionalProperties: { type: 'integer' } },
    { 'x.y': 'z' },
    'spec.a.x.y: Invalid value: "string": spec.a.x.y in body must be of type integer: "string"',
  ],
  [
    { type: 'object', additionalProperties: false },
    { x: 1 },
    'spec.a: Invalid value: "x": spec.a.x in body is a forbidden property',
  ],
  [
    { type: 'object', required: ['x', 'toString'] },
    {},
    'spec.a.x: Required value',
    'spec.a.toString: Required value',
  ],
  [
    { type: 'object', oneOf: [{ required: ['x'] }, { required: ['y'] }] },
    {},
    '<nil>: Invalid value: "": "spec.a" must validate one and only one schema (oneOf). Found none valid',
    'spec.a.x: Required value',
  ],
  [
    { type: 'object', oneOf: [{ required: ['x'] }, { required: ['y'] }] },
    { x: 1, y: 1 },
    '<nil>: Invalid value: "": "spec.a" must validate one and only one schema (oneOf). Found 2 valid alternatives',
  ],
  [
    { type: 'object', allOf: [{ required: ['x'] }, { required: ['x'] }] },
    {},
    'spec.a.x: Required value',
    '<nil>: Invalid value: "": "spec.a" must validate all the schemas (allOf). None validated',
  ],
  [
    { type: 'object', allOf: [{ required: ['x'] }, {}] },
    {},
    'spec.a.x: Required value',
    '<nil>: Invalid value: "": "spec.a" must validate all the schemas (allOf)',
  ],
  [
    { type: 'object', not: { required: ['x'] } },
    { x: 1 },
    '<nil>: Invalid value: "": "spec.a" must not validate the schema (not)',
  ],
  [
    { type: 'string', anyOf: [{ format: 'ipv4' }, { pattern: '^host$' }] },
    'x',
    '<nil>: Invalid value: "": "spec.a" must validate at least one schema (anyOf)',
    'spec.a: Invalid value: "x": spec.a in body must be of type ipv4: "x"',
  ],
]

const alone: typeof said = [
  [
    { type: 'object', anyOf: [{ required: ['x'] }] },
    {},
    '<nil>: Invalid value: "": "spec.a" must validate at least one schema (anyOf)',
    'spec.a.x: Required value',
  ],
  [
    { type: 'object', oneOf: [{ required: ['x'] }] },
    {},
    '<nil>: Invalid value: "": "spec.a" must validate one and only one schema (oneOf). Found none valid',
    'spec.a.x: Required value',
  ],
  [
    { type: 'object', allOf: [{ required: ['x'] }] },
    {},
    'spec.a.x: Required value',
    '<nil>: Invalid value: "": "spec.a" must validate all the schemas (allOf). None validated',
  ],
]

const around = (a: Schema): Schema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: { a } } },
})

/** A text in which hardly a piece stands twice. */
function noise(length: number): string {
  let state = 1
  const letters = Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state & 0x1000_0000 ? 'a' : 'b'
  })
  return letters.join('')
}

describe('a value is held to its schema', () => {
  it.each([...said, ...alone])('%j: %j', (schema, value, ...errors) => {
    const found = validateValue(around(schema), { spec: { a: value } })

    expect(found.map(({ field, message }) => `${field}: ${message}`)).toEqual(errors)
  })

  it('tells of the alternative that fits best, not of the first', () => {
    const schema: Schema = {
      type: 'object',
      anyOf: [{ required: ['x'] }, { required: ['z'], properties: { y: { minimum: 0 } } }],
    }

    const found = validateValue(schema, { y: 1 })

    expect(found.map(({ field }) => field)).toEqual(['<nil>', 'z'])
  })

  it('names fields below a status, but not in messages', () => {
    const schema: Schema = { type: 'object', properties: { p: { type: 'string' } } }

    expect(validateValue(schema, { p: 1 }, { base: 'status' })).toEqual([
      {
        reason: 'FieldValueTypeInvalid',
        field: 'status.p',
        message: 'Invalid value: "integer": p in body must be of type string: "integer"',
      },
    ])
    expect(validateValue(schema, 'x', { base: 'status' })[0]?.field).toBe('status')
  })

  it('gives the reasons that Kubernetes gives', () => {
    const reasonOf = (schema: Schema, value: unknown) => validateValue(schema, value)[0]?.reason

    expect(reasonOf({ type: 'string' }, 1)).toBe('FieldValueTypeInvalid')
    expect(reasonOf({ type: 'string', enum: ['a'] }, 'b')).toBe('FieldValueNotSupported')
    expect(reasonOf({ type: 'string', maxLength: 1 }, 'bb')).toBe('FieldValueTooLong')
    expect(reasonOf({ type: 'object', required: ['a'] }, {})).toBe('FieldValueRequired')
    expect(reasonOf({ type: 'array', maxItems: 0 }, [1])).toBe('FieldValueTooMany')
    expect(reasonOf({ type: 'integer', maximum: 0 }, 1)).toBe('FieldValueInvalid')
  })

  it('gives an object up whose patterns would keep others waiting', () => {
    const costly: Schema = { type: 'string', pattern: '(a|b)*a(a|b){300}c' }
    const text = noise(3000)
    const told = [
      {
        reason: 'FieldValueForbidden',
        field: 'p',
        message: 'Forbidden: takes too long to match with its pattern',
      },
    ]

    const plainly: Schema = { type: 'object', properties: { p: costly } }
    const inside: Schema = { type: 'object', properties: { p: { type: 'string', not: costly } } }

    expect(validateValue(plainly, { p: text })).toEqual(told)
    expect(validateValue(inside, { p: text })).toEqual(told)
    expect(validateValue(plainly, { p: 'ab' })).toHaveLength(1)
  })
})
