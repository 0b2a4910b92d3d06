import { describe, expect, it } from 'vitest'
import type { Fields } from '#apiserver/objects.ts'
import { setOf } from './field-set.ts'
import { apiVersion, early, entry, late, nothing, thing, thingSchema } from './things.cases.ts'
import { type Update, updateOwnership } from './update-ownership.ts'

const door = { apiVersion, schema: thingSchema }

const write = (change: Partial<Update> & { live: Fields; next: Fields }): Fields[] | undefined =>
  updateOwnership({ door, writer: 'a', now: late, ...change })

const stored = (spec: Fields, managedFields: Fields[]): Fields =>
  thing(spec, { uid: 'u', resourceVersion: '1', managedFields })

describe('who owns what after a write', () => {
  it('gives a creator everything but what the server says', () => {
    const next = thing({ text: 'x', ports: [{ port: 80 }] }, { uid: 'u', labels: { l: '1' } })

    const fields = write({ live: nothing, next })

    expect(fields).toEqual([
      {
        ...entry('a', 'Update', {
          'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } },
          'f:spec': {
            '.': {},
            'f:ports': {
              '.': {},
              'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} },
            },
            'f:text': {},
          },
        }),
        time: late,
      },
    ])
  })

  it('moves what changed from its owner to the writer, and drops what is gone', () => {
    const live = stored({ text: 'x', replicas: 1, list: ['a'] }, [
      entry('b', 'Apply', { 'f:spec': { 'f:text': {}, 'f:replicas': {}, 'f:list': {} } }),
    ])

    const fields = write({ live, next: thing({ text: 'y', list: ['a'] }) })

    expect(fields).toEqual([
      entry('b', 'Apply', { 'f:spec': { 'f:list': {} } }),
      { ...entry('a', 'Update', { 'f:spec': { 'f:text': {} } }), time: late },
    ])
  })

  it('leaves entries as they were, their times too, when nothing changes', () => {
    const entries = [entry('a', 'Update', { 'f:spec': { 'f:text': {} } })]

    const fields = write({ live: stored({ text: 'x' }, entries), next: thing({ text: 'x' }) })

    expect(fields).toEqual(entries)
    expect(fields?.[0]).toBe(entries[0])
  })

  it('tells writers through a subresource apart, and ignores what that way cannot write', () => {
    const live = stored({ text: 'x' }, [entry('a', 'Update', { 'f:spec': { 'f:text': {} } })])
    const next = { ...thing({ text: 'y' }), status: { phase: 'p' } }
    const reset = setOf(['f:metadata'], ['f:spec'])

    const fields = write({ live, next, door: { ...door, subresource: 'status', reset } })

    expect(fields).toEqual([
      entry('a', 'Update', { 'f:spec': { 'f:text': {} } }),
      {
        ...entry('a', 'Update', { 'f:status': { '.': {}, 'f:phase': {} } }),
        time: late,
        subresource: 'status',
      },
    ])
  })

  it.each([[[]], [[{}]]])('forgets all owners when asked to by %j', (managedFields) => {
    const live = stored({ text: 'x' }, [entry('b', 'Update', { 'f:spec': { 'f:text': {} } })])

    expect(write({ live, next: thing({ text: 'y' }, { managedFields }) })).toBeUndefined()
  })

  it('takes an empty list from an object of a CRD for nothing', () => {
    const entries = [entry('b', 'Update', { 'f:spec': { 'f:text': {} } })]
    const next = thing({ text: 'x' }, { managedFields: [] })

    const custom = { ...door, isCustom: true }
    expect(write({ live: stored({ text: 'x' }, entries), next, door: custom })).toEqual(entries)
  })

  it('takes the entries of the request, unless they are wrong', () => {
    const live = stored({ text: 'x' }, [entry('b', 'Update', { 'f:spec': { 'f:text': {} } })])
    const mine = [entry('c', 'Update', { 'f:spec': { 'f:text': {} } })]
    const wrong = [{ ...mine[0], operation: 'X' }]

    const fieldsFor = (managedFields: Fields[]): unknown[] =>
      (write({ live, next: thing({ text: 'x' }, { managedFields }) }) ?? []).map(
        ({ manager }) => manager,
      )

    expect(fieldsFor(mine)).toEqual(['c'])
    expect(fieldsFor(wrong)).toEqual(['b'])
  })

  it('puts the oldest of more than ten writers together', () => {
    let live: Fields = stored({}, [entry('w', 'Update', { 'f:spec': {} })])
    for (let index = 0; index < 12; index++) {
      const spec = { labels: Object.fromEntries([...Array(index + 1).keys()].map((n) => [n, 'x'])) }
      const now = `2026-01-01T00:00:${String(index + 10)}Z`
      const managedFields = write({ live, next: thing(spec), writer: `w${index}`, now }) ?? []
      live = stored(spec, managedFields)
    }

    const writers = (write({ live, next: live }) ?? []).map(({ manager }) => manager)
    expect(writers).toHaveLength(10)
    expect(writers[0]).toBe('ancient-changes')
    expect(writers.slice(1)).toEqual(['w3', 'w4', 'w5', 'w6', 'w7', 'w8', 'w9', 'w10', 'w11'])
  })

  it('makes owners of parts owners of the whole when the schema has become atomic', () => {
    const live = stored({ whole: { a: '1' } }, [
      entry('b', 'Apply', { 'f:spec': { 'f:whole': { 'f:a': {} } } }),
    ])

    const fields = write({ live, next: thing({ whole: { a: '1' } }) })

    expect(fields).toEqual([entry('b', 'Apply', { 'f:spec': { 'f:whole': {} } })])
  })

  it('drops the owners in a version that is gone', () => {
    const old = { ...entry('b', 'Apply', { 'f:spec': { 'f:text': {} } }), apiVersion: 'old/v0' }
    const live = stored({ text: 'x' }, [old])

    const fields = write({
      live,
      next: thing({ text: 'x', replicas: 1 }),
      door: { ...door, inVersion: () => undefined },
    })

    expect(fields?.map(({ manager }) => manager)).toEqual(['a'])
  })

  it('keeps nothing of an object whose list items it cannot tell apart', () => {
    const live = stored({}, [entry('b', 'Update', { 'f:spec': {} })])

    expect(write({ live, next: thing({ ports: [null] }) })).toBeUndefined()
  })

  it('calls a writer with no name unknown', () => {
    const fields = write({ live: nothing, next: thing({ text: 'x' }), writer: '', now: early })

    expect(fields?.[0]).toMatchObject({ manager: 'unknown', time: early })
  })
})
