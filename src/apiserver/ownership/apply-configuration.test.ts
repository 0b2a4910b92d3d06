import { describe, expect, it } from 'vitest'
import { ApiFailure } from '#apiserver/failure.ts'
import { type Fields, fieldsAt } from '#apiserver/objects.ts'
import { atOnce } from '#apiserver/steps.ts'
import { type Application, type Applied, applyConfiguration } from './apply-configuration.ts'
import { setOf } from './field-set.ts'
import { isSameWrite } from './same-write.ts'
import { apiVersion, early, entry, late, nothing, thing, thingSchema } from './things.cases.ts'

const door = { apiVersion, schema: thingSchema }

const apply = (change: Partial<Application> & { config: Fields }): Applied =>
  applyConfiguration({
    door,
    kind: 'Thing',
    empty: nothing,
    writer: 'a',
    force: false,
    now: late,
    ...change,
  })

const stored = (spec: Fields, managedFields: Fields[]): Fields =>
  thing(spec, { uid: 'u', resourceVersion: '1', managedFields })

const specOf = ({ object }: Applied): unknown => object.spec
const fieldsOf = ({ object }: Applied): unknown => fieldsAt(object, 'metadata').managedFields

function failureOf(run: () => unknown): Fields | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    if (error instanceof ApiFailure) return error.status
    throw error
  }
}

describe('server-side apply', () => {
  it('creates what is not there', () => {
    const applied = apply({ config: thing({ text: 'x', set: ['a'] }) })

    expect(applied.object).toEqual(
      thing(
        { text: 'x', set: ['a'] },
        {
          managedFields: [
            {
              ...entry('a', 'Apply', { 'f:spec': { 'f:set': { 'v:"a"': {} }, 'f:text': {} } }),
              time: late,
            },
          ],
        },
      ),
    )
  })

  it('changes nothing when the same is applied again', () => {
    const live = apply({ config: thing({ text: 'x', ports: [{ port: 80 }] }), now: early }).object

    const again = apply({ live, config: thing({ text: 'x', ports: [{ port: 80 }] }) })

    expect(again.isUnchanged).toBe(true)
    expect(again.object).toBe(live)
  })

  it('names everyone whose fields it would change, and changes them when forced', () => {
    const live = stored({ text: 'x', replicas: 1 }, [
      entry('b', 'Apply', { 'f:spec': { 'f:replicas': {} } }),
      { ...entry('c', 'Update', { 'f:spec': { 'f:text': {} } }), subresource: 'status' },
    ])
    const config = thing({ text: 'y', replicas: 2 })

    expect(failureOf(() => apply({ live, config }))).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message:
        'Apply failed with 2 conflicts: conflicts with "b":\n- .spec.replicas\nconflicts with "c" with subresource "status" using example.com/v1:\n- .spec.text',
      reason: 'Conflict',
      details: {
        causes: [
          { reason: 'FieldManagerConflict', message: 'conflict with "b"', field: '.spec.replicas' },
          {
            reason: 'FieldManagerConflict',
            message: 'conflict with "c" with subresource "status" using example.com/v1',
            field: '.spec.text',
          },
        ],
      },
      code: 409,
    })
    const forced = apply({ live, config, force: true })
    expect(specOf(forced)).toEqual({ text: 'y', replicas: 2 })
    expect(fieldsOf(forced)).toEqual([
      { ...entry('a', 'Apply', { 'f:spec': { 'f:replicas': {}, 'f:text': {} } }), time: late },
    ])
  })

  it('shares what has the same value, with no time of its own', () => {
    const theirs = entry('b', 'Update', { 'f:spec': { 'f:text': {} } })

    const applied = apply({ live: stored({ text: 'x' }, [theirs]), config: thing({ text: 'x' }) })

    const { time: _, ...mine } = entry('a', 'Apply', { 'f:spec': { 'f:text': {} } })
    expect(fieldsOf(applied)).toEqual([mine, theirs])
    expect(applied.isUnchanged).toBe(false)
  })

  it('removes what it has left out, unless somebody else owns it', () => {
    const config = thing({ text: 'x', set: ['a', 'b'], labels: { k: '1', l: '1' }, replicas: 1 })
    const mine = apply({ config, now: early }).object
    const live = stored({ ...fieldsAt(mine, 'spec'), any: { z: 1 } }, [
      ...(fieldsAt(mine, 'metadata').managedFields as Fields[]), // what apply wrote
      entry('b', 'Update', { 'f:spec': { 'f:labels': { 'f:l': {} }, 'f:set': { 'v:"b"': {} } } }),
    ])

    const applied = apply({ live, config: thing({ text: 'x' }) })

    expect(specOf(applied)).toEqual({ text: 'x', set: ['b'], labels: { l: '1' }, any: { z: 1 } })
  })

  it.each([
    [
      ['a', 'x', 'b', 'y', 'c'],
      ['c', 'n', 'b', 'a'],
      ['x', 'y', 'c', 'n', 'b', 'a'],
    ],
    [
      ['a', 'b', 'c'],
      ['a', 'n', 'b'],
      ['a', 'n', 'b', 'c'],
    ],
    [['a', 'b', 'c'], ['n'], ['a', 'b', 'c', 'n']],
  ])('over the items %j, %j makes %j', (before, set, after) => {
    const live = stored({ set: before }, [entry('b', 'Update', { 'f:spec': {} })])

    expect(specOf(apply({ live, config: thing({ set }) }))).toEqual({ set: after })
  })

  it('lays items over those with the same key, defaults of keys included', () => {
    const live = stored({ ports: [{ port: 80, protocol: 'TCP', name: 'web' }] }, [
      entry('b', 'Update', { 'f:spec': {} }),
    ])

    const applied = apply({ live, config: thing({ ports: [{ port: 80, target: 'x' }] }) })

    expect(specOf(applied)).toEqual({
      ports: [{ port: 80, protocol: 'TCP', name: 'web', target: 'x' }],
    })
  })

  it('takes all that is there for owned by one when the owners are not known', () => {
    const applied = apply({ live: stored({ text: 'x' }, []), config: thing({ replicas: 1 }) })

    expect(fieldsOf(applied)).toMatchObject([
      { manager: 'a', operation: 'Apply' },
      { manager: 'before-first-apply', operation: 'Update', time: late },
    ])
  })

  it('lets kubectl take over what it applied on its own side, and tells of it', () => {
    const annotation = 'kubectl.kubernetes.io/last-applied-configuration'
    const old = thing({ text: 'x' })
    const live = thing(
      { text: 'x' },
      {
        uid: 'u',
        annotations: { [annotation]: JSON.stringify(old) },
        managedFields: [
          entry('kubectl-client-side-apply', 'Update', { 'f:spec': { 'f:text': {} } }),
        ],
      },
    )
    const config = thing({ text: 'y' })

    const applied = apply({ live, config, writer: 'kubectl' })

    expect(specOf(applied)).toEqual({ text: 'y' })
    expect(fieldsAt(fieldsAt(applied.object, 'metadata'), 'annotations')[annotation]).toBe(
      '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"x"},"spec":{"text":"y"}}\n',
    )
    expect(failureOf(() => apply({ live, config, writer: 'other' }))?.code).toBe(409)
  })

  it('owns nothing that its way in cannot write', () => {
    const config = { ...thing({ text: 'x' }), status: { phase: 'p' } }

    const applied = apply({ config, door: { ...door, reset: setOf(['f:status']) } })

    expect(fieldsOf(applied)).toMatchObject([{ fieldsV1: { 'f:spec': { 'f:text': {} } } }])
  })

  it.each([
    [{ ...thing({}), kind: 'X' }, 400, 'invalid object type: example.com/v1, Kind=X'],
    [{ ...thing({}), apiVersion: 'v1' }, 400, 'invalid object type: /v1, Kind=Thing'],
    [thing({}, { managedFields: [] }), 400, 'metadata.managedFields must be nil'],
    [thing({ foo: 1 }), 500, '.spec.foo: field not declared in schema'],
    [thing({ replicas: 'x' }), 500, '.spec.replicas: expected numeric (int or float), got string'],
    [thing({ text: 1 }), 500, '.spec.text: expected string, got &value.valueUnstructured{Value:1}'],
    [thing({ set: ['a', 'a'] }), 500, '.spec.set: duplicate entries for key [="a"]'],
    [
      thing({ ports: [{ port: 80 }, { port: 80 }] }),
      500,
      '.spec.ports: duplicate entries for key [port=80,protocol="TCP"]',
    ],
    [
      thing({ set: [null], labels: 'x' }),
      500,
      "errors:\n  .spec.set: element 0: associative list without keys has an element that's an explicit null\n  .spec.labels: expected map, got &{x}",
    ],
  ])('refuses %j', (config, code, message) => {
    const status = failureOf(() => apply({ config }))

    const why =
      code === 500
        ? `failed to create typed patch object (/x; example.com/v1, Kind=Thing): ${message}`
        : message
    expect(status).toMatchObject({ code, message: why })
  })

  it('tolerates items in the live object that are not unique', () => {
    const live = stored({ set: ['a', 'a', 'b'] }, [entry('b', 'Update', { 'f:spec': {} })])

    const applied = apply({ live, config: thing({ set: ['c'] }) })

    expect(specOf(applied)).toEqual({ set: ['a', 'a', 'b', 'c'] })
  })
})

it('refuses to apply to an object of which nobody can own parts', () => {
  const live = thing({ set: [{ a: 1 }, 'b', 'b'] }, { namespace: 'n', uid: 'u' })

  expect(failureOf(() => apply({ live, config: thing({ text: 'x' }) }))).toMatchObject({
    code: 500,
    message:
      "failed to create manager for existing fields: failed to convert new object (n/x; example.com/v1, Kind=Thing) to smd typed: .spec.set: element 0: associative list without keys has an element that's a map type",
  })
})

describe('a write', () => {
  it('is the same when only times of owners differ', () => {
    const live = stored({ text: 'x' }, [entry('a', 'Update', { 'f:spec': {} })])
    const later = stored({ text: 'x' }, [{ ...entry('a', 'Update', { 'f:spec': {} }), time: late }])
    const others = stored({ text: 'x' }, [entry('a', 'Update', { 'f:spec': { 'f:text': {} } })])

    expect(atOnce(isSameWrite(live, later))).toBe(true)
    expect(atOnce(isSameWrite(live, others))).toBe(false)
    expect(atOnce(isSameWrite(live, { ...later, spec: {} }))).toBe(false)
  })
})
