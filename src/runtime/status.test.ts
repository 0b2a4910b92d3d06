import { describe, expect, test } from 'vitest'
import { Machine } from '#api/machine.ts'
import type { KubeObject } from '#api/meta.ts'
import { OperatorError } from '#base/operator-error.ts'
import { no, yes } from './plan.ts'
import { isSaid, ourPartOf, statusAfter } from './status.ts'

const NOW = new Date('2030-01-01T12:00:00Z')
const BEFORE = '2029-12-31T00:00:00Z'

const aCondition = (type: string, changes: object = {}) => ({
  ...{ type, status: 'True', reason: 'Known', message: 'as it is', lastTransitionTime: BEFORE },
  observedGeneration: 2,
  ...changes,
})

const aMachine = (status: unknown): KubeObject => ({
  metadata: { name: 'm1', namespace: 'default', generation: 3 },
  status,
})

/** The status of a machine after a pass, which had this one. */
const statusOf = (
  status: unknown,
  judged: Pick<Parameters<typeof statusAfter>[0], 'plan' | 'failure'>,
) => statusAfter({ kind: Machine, resource: aMachine(status), now: NOW, ...judged })

const aPlan = (status: object, conditions = {}) => ({ plan: { status, conditions } })

describe('after a pass with a plan', () => {
  test('the status is what the plan says, with conditions and the generation', () => {
    const plan = aPlan({ stage: 'running' }, { Reachable: yes('Answers', 'it answers') })

    expect(statusOf({ stage: 'booting', hostname: 'm1' }, plan)).toEqual({
      stage: 'running',
      observedGeneration: 3,
      conditions: [
        expect.objectContaining({ type: 'Ready', status: 'True', observedGeneration: 3 }),
        expect.objectContaining({ type: 'Reachable', status: 'True', reason: 'Answers' }),
      ],
    })
  })

  test('a condition that is not stated any more goes, as do those of others', () => {
    const before = { conditions: [aCondition('Reachable'), aCondition('Haunted')] }

    const { conditions } = statusOf(before, aPlan({}))

    expect(conditions).toMatchObject([{ type: 'Ready' }])
  })

  test('a failure is what Ready says, and the rest is the plan’s', () => {
    const failure = new OperatorError('MachineCreationError', { message: 'no room' })
    const plan = aPlan({ stage: 'running' }, { Ready: yes('Fine', 'all is well') })

    expect(statusOf({}, { ...plan, failure })).toMatchObject({
      stage: 'running',
      conditions: [
        { type: 'Ready', status: 'False', reason: 'MachineCreationError', message: 'no room' },
      ],
    })
  })
})

describe('after a pass that failed before it had a plan', () => {
  const failure = new Error('the cache burns')
  const before = {
    stage: 'running',
    observedGeneration: 2,
    conditions: [
      aCondition('Deleting', { status: 'False' }),
      aCondition('Reachable'),
      aCondition('Ready'),
    ],
  }

  test('only Ready and the generation differ: nobody has judged the rest anew', () => {
    expect(statusOf(before, { failure })).toEqual({
      stage: 'running',
      observedGeneration: 3,
      conditions: [
        {
          ...{ type: 'Ready', status: 'False', reason: 'UnknownError', message: 'the cache burns' },
          ...{ lastTransitionTime: '2030-01-01T12:00:00Z', observedGeneration: 3 },
        },
        aCondition('Reachable'),
        aCondition('Deleting', { status: 'False' }),
      ],
    })
  })

  test('the same failure again changes nothing', () => {
    const once = statusOf(before, { failure })

    const twice = statusOf(once, { failure: new Error('the cache burns') })

    expect(twice).toEqual(once)
    expect(isSaid(Machine, aMachine(once), twice)).toBe(true)
  })

  test.each([undefined, null, 'garbage', [1], { conditions: 'none' }])(
    'a status of %j is no hindrance',
    (status) => {
      expect(statusOf(status, { failure })).toMatchObject({
        observedGeneration: 3,
        conditions: [{ type: 'Ready', reason: 'UnknownError' }],
      })
    },
  )

  test('whatever was thrown is shown in words', () => {
    const said = (thrown: unknown) => statusOf({}, { failure: thrown }).conditions

    expect(said('just text')).toMatchObject([{ message: 'just text' }])
    expect(said(null)).toMatchObject([{ message: 'null' }])
    expect(said(new TypeError())).toMatchObject([{ message: 'TypeError' }])
  })
})

describe('a status says all of it already', () => {
  const status = statusOf(
    {},
    aPlan({ stage: 'running', hostname: 'm1' }, { Reachable: yes('A', 'b') }),
  )
  const conditions = [aCondition('Reachable'), aCondition('Ready')]

  test.each([
    ['in another order of keys', Object.fromEntries(Object.entries(status).reverse())],
    [
      'in another order of conditions',
      { ...status, conditions: [...Object(status).conditions].reverse() },
    ],
    [
      'beside a condition of somebody else',
      { ...status, conditions: [aCondition('Haunted'), ...Object(status).conditions] },
    ],
  ])('%s', (_how, found) => {
    expect(isSaid(Machine, aMachine(found), status)).toBe(true)
  })

  test.each([
    ['a field is missing', { ...status, hostname: undefined }],
    ['a field is too much', { ...status, uuid: 'x' }],
    ['a field differs', { ...status, stage: 'booting' }],
    ['a condition is missing', { ...status, conditions: [] }],
    ['a condition differs', { ...status, conditions }],
    [
      'a declared condition is too much',
      { ...status, conditions: [...Object(status).conditions, aCondition('Deleting')] },
    ],
    ['there is none', undefined],
  ])('not if %s', (_what, found) => {
    expect(isSaid(Machine, aMachine(found), status)).toBe(false)
  })

  test('where the plan sets a field to undefined and it is absent', () => {
    const wanted = statusOf({}, aPlan({ stage: undefined, hostname: 'm1' }))

    expect(isSaid(Machine, aMachine(JSON.parse(JSON.stringify(wanted))), wanted)).toBe(true)
    expect(isSaid(Machine, aMachine({ ...wanted, stage: 'running' }), wanted)).toBe(false)
  })
})

test('our part of a status has no conditions but the kind’s own', () => {
  const conditions = [aCondition('toString'), aCondition('Haunted'), aCondition('Ready')]

  expect(ourPartOf(Machine, { stage: 'running', conditions })).toEqual({
    stage: 'running',
    conditions: [aCondition('Ready')],
  })
  expect(ourPartOf(Machine, { stage: 'running' })).toEqual({ stage: 'running' })
  expect(ourPartOf(Machine, undefined)).toEqual({})
})

test('a plan that finds the same again leads to the same status, whatever the time', () => {
  const plan = aPlan({ stage: 'running' }, { Reachable: no('Unreachable', 'no answer') })
  const once = statusOf({}, plan)

  const later = new Date('2031-01-01T00:00:00Z')
  const again = statusAfter({ kind: Machine, resource: aMachine(once), now: later, ...plan })

  expect(again).toEqual(once)
})

test('a field that says when another one changed stays as it is while nothing else does', () => {
  const judged = { kind: Machine, plan: { status: { observedVersion: 'v1.13.0' }, conditions: {} } }
  const updatedField = 'lastLook'
  const first = statusAfter({ ...judged, resource: aMachine({}), now: NOW, updatedField })
  const later = new Date(NOW.getTime() + 60_000)
  const same = statusAfter({ ...judged, resource: aMachine(first), now: later, updatedField })
  const plan = { status: { observedVersion: 'v1.13.1' }, conditions: {} }
  const other = statusAfter({
    ...{ kind: Machine, plan, resource: aMachine(first), now: later, updatedField },
  })

  expect(first.lastLook).toBe(NOW.toISOString().replace('.000', ''))
  expect(same).toEqual(first)
  expect(other.lastLook).toBe(later.toISOString().replace('.000', ''))
})
