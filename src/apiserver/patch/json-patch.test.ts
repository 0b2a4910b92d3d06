import { describe, expect, it } from 'vitest'
import { ApiFailure } from '#apiserver/failure.ts'
import type { Fields } from '#apiserver/objects.ts'
import { atOnce } from '#apiserver/steps.ts'
import { applyJsonPatch, unknownMembersOf } from './json-patch.ts'

const live = { data: { a: '1', 'x/y': '2', 't~u': '3' }, list: ['p', 'q'], none: null }

const whole = (object: Fields, patch: unknown) => atOnce(applyJsonPatch(object, patch))

const statusOf = (patch: unknown): unknown => {
  try {
    return whole(live, patch)
  } catch (error) {
    return error instanceof ApiFailure ? error.status : error
  }
}

describe('a JSON patch', () => {
  it.each([
    [[{ op: 'add', path: '/data/b', value: '9' }], { data: { ...live.data, b: '9' } }],
    [[{ op: 'add', path: '/data/b' }], { data: { ...live.data, b: null } }],
    [[{ op: 'replace', path: '/data/new', value: '9' }], { data: { ...live.data, new: '9' } }],
    [[{ op: 'remove', path: '/data/x~1y' }], { data: { a: '1', 't~u': '3' } }],
    [[{ op: 'remove', path: '/data/t~0u' }], { data: { a: '1', 'x/y': '2' } }],
    [[{ op: 'add', path: '/list/-', value: 'r' }], { list: ['p', 'q', 'r'] }],
    [[{ op: 'add', path: '/list/0', value: 'r' }], { list: ['r', 'p', 'q'] }],
    [[{ op: 'remove', path: '/list/-1' }], { list: ['p'] }],
    [[{ op: 'replace', path: '/list/1', value: 'r' }], { list: ['p', 'r'] }],
    [[{ op: 'move', from: '/data/a', path: '/b' }], { data: { 'x/y': '2', 't~u': '3' }, b: '1' }],
    [[{ op: 'copy', from: '/data/none', path: '/b' }], { b: null }],
    [[{ op: 'copy', from: '/list', path: '/b' }], { b: ['p', 'q'] }],
    [[{ op: 'test', path: '/list', value: ['p', 'q'] }], {}],
    [[{ op: 'test', path: '/data/none', value: null }], {}],
    [null, {}],
  ])('%j is applied as Kubernetes does', (patch, change) => {
    const before = structuredClone(live)

    expect(whole(live, patch)).toEqual({ ...live, ...change })
    expect(live).toEqual(before)
  })

  it('can replace the whole', () => {
    expect(whole(live, [{ op: 'replace', path: '', value: { a: 1 } }])).toEqual({ a: 1 })
  })

  it('does not share what it copies', () => {
    const patch = [
      { op: 'copy', from: '/list', path: '/b' },
      { op: 'add', path: '/b/-', value: 'r' },
    ]

    expect(whole(live, patch)).toMatchObject({ list: ['p', 'q'], b: ['p', 'q', 'r'] })
  })

  it.each([
    [{ op: 'x', path: '/a' }],
    [{ path: '/a' }],
    [{ op: 'add', value: 1 }],
    [{ op: 'move', path: '/a' }],
    [{ op: 'add', path: '', value: {} }],
    [{ op: 'add', path: '/no/such', value: 1 }],
    [{ op: 'add', path: '/none/x', value: 1 }],
    [{ op: 'add', path: '/data/a/b', value: 1 }],
    [{ op: 'remove', path: '/data/no' }],
    [{ op: 'remove', path: '/list/2' }],
    [{ op: 'remove', path: '/list/-' }],
    [{ op: 'add', path: '/list/3', value: 1 }],
    [{ op: 'replace', path: '/list/x', value: 1 }],
    [{ op: 'move', from: '/data/no', path: '/b' }],
    [{ op: 'test', path: '/data/a', value: '2' }],
    [{ op: 'replace', path: '', value: 'x' }],
  ])('%j is refused, with no reason told', (operation) => {
    expect(statusOf([operation])).toMatchObject({
      code: 422,
      message: 'the server rejected our request due to an error in our request',
      reason: 'Invalid',
      details: {},
    })
  })

  it.each([
    [{}, 'cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
    [['x'], 'cannot unmarshal string into Go value of type handlers.jsonPatchOp'],
    [[{ op: 1 }], 'cannot unmarshal number into Go struct field jsonPatchOp.op of type string'],
  ])('%j is none', (patch, why) => {
    expect(statusOf(patch)).toMatchObject({
      code: 400,
      message: `error decoding patch: json: ${why}`,
    })
  })

  it('has at most 10,000 operations', () => {
    const patch = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/x', value: null }))

    expect(statusOf(patch)).toMatchObject({ code: 413, reason: 'RequestEntityTooLarge' })
    expect(statusOf(patch.slice(1))).toEqual(live)
  })

  it('does not copy copies without end', () => {
    const copies = Array.from({ length: 100 }, (_, n) => ({
      ...{ op: 'copy', from: '/data', path: `/data/${n}` },
    }))

    expect(statusOf(copies.slice(0, 10))).toMatchObject({ list: live.list })
    expect(statusOf(copies)).toMatchObject({ code: 422, reason: 'Invalid' })
  })

  it('tells of members that mean nothing', () => {
    expect(unknownMembersOf([{ op: 'test' }, { op: 'test', foo: 1 }])).toEqual([
      'json patch unknown field "[1].foo"',
    ])
  })
})
