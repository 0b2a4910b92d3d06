import { describe, expect, it } from 'vitest'
import type { Schema } from '#apiserver/schema.ts'
import { emptyObjectOf } from './empty-object.ts'

const podSpec: Schema = {
  type: 'object',
  required: ['containers'],
  properties: { containers: { type: 'array' }, hostNetwork: { type: 'boolean' } },
}

describe('the empty object of a kind', () => {
  it('has what is always there, with its zero value, and nothing else', () => {
    const schema: Schema = {
      type: 'object',
      required: ['count'],
      properties: {
        spec: { default: {}, allOf: [podSpec] },
        count: { type: 'integer', default: 0 },
        data: { type: 'object' },
      },
    }

    const empty = emptyObjectOf(schema)

    expect(empty).toEqual({ spec: { containers: null }, count: 0 })
    expect(emptyObjectOf(schema)).toBe(empty)
  })
})
