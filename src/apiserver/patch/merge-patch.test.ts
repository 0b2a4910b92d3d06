import { describe, expect, it } from 'vitest'
import type { Fields } from '#apiserver/objects.ts'
import { atOnce } from '#apiserver/steps.ts'
import { applyMergePatch } from './merge-patch.ts'

const whole = (live: Fields, patch: unknown) => atOnce(applyMergePatch(live, patch))

describe('a merge patch', () => {
  it.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    [{}, { a: [{ b: null, c: 1 }, null] }, { a: [{ c: 1 }, null] }],
    [{ a: {} }, { a: [{ b: null }] }, { a: [{ b: null }] }],
  ])('over %j, %j makes %j', (live, patch, result) => {
    const before = structuredClone([live, patch])

    expect(whole(live, patch)).toEqual(result)
    expect([live, patch]).toEqual(before)
  })

  it('must be an object', () => {
    expect(() => whole({}, null)).toThrow('Invalid JSON Patch')
    expect(() => whole({}, [])).toThrow(
      'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    )
  })
})
