import { describe, expect, test } from 'vitest'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { Machine } from '#api/machine.ts'
import { conditionsIn, conditionsOf, ownOf, type Verdicts } from './conditions.ts'
import { no, unknown, yes } from './plan.ts'

const NOW = new Date('2030-01-01T12:00:00.750Z')
const BEFORE = '2029-12-31T00:00:00Z'

const aCondition = (type: string, changes: object = {}) => ({
  type,
  status: 'True',
  reason: 'Answers',
  message: 'the machine answers',
  lastTransitionTime: BEFORE,
  observedGeneration: 1,
  ...changes,
})

/** The conditions of a machine, after a status that held these. */
const judge = (verdicts: Verdicts, conditions: unknown[] = []) =>
  conditionsOf({ kind: Machine, verdicts, previous: { conditions }, generation: 2, now: NOW })

const find = (type: string, verdicts: Verdicts, conditions: unknown[] = []) =>
  judge(verdicts, conditions).find((condition) => condition.type === type)

describe('the time of a condition', () => {
  const up = yes('Answers', 'the machine answers')
  const down = no('Unreachable', 'no answer from 10.0.0.1')
  const dark = unknown('NotTried', 'nobody has looked yet')

  const NOON = '2030-01-01T12:00:00Z'

  test.each([
    { what: 'is new', verdict: up, before: [], time: NOON },
    { what: 'is as it was', verdict: up, before: [aCondition('Reachable')], time: BEFORE },
    {
      what: 'has another message',
      verdict: yes('Answers', 'slowly'),
      before: [aCondition('Reachable')],
      time: BEFORE,
    },
    {
      what: 'has another reason',
      verdict: yes('Pingable', 'it answers'),
      before: [aCondition('Reachable')],
      time: BEFORE,
    },
    { what: 'became false', verdict: down, before: [aCondition('Reachable')], time: NOON },
    { what: 'became unknown', verdict: dark, before: [aCondition('Reachable')], time: NOON },
    {
      what: 'stays unknown',
      verdict: dark,
      before: [aCondition('Reachable', { status: 'Unknown' })],
      time: BEFORE,
    },
    { what: 'is like another one was', verdict: up, before: [aCondition('Deleting')], time: NOON },
  ])('of one that $what', ({ verdict, before, time }) => {
    expect(find('Reachable', { Reachable: verdict }, before)?.lastTransitionTime).toBe(time)
  })

  test.each([
    ['no list', 'conditions'],
    ['null', [null]],
    ['a number', [7]],
    ['a condition without a time', [{ ...aCondition('Reachable'), lastTransitionTime: undefined }]],
    ['a time that is none', [aCondition('Reachable', { lastTransitionTime: 'yesterday' })]],
  ])('is now where the status holds %s', (_what, conditions) => {
    const previous = { conditions }
    const verdicts = { Reachable: up }

    const [, reachable] = conditionsOf({
      ...{ kind: Machine, verdicts, previous, generation: 1, now: NOW },
    })

    expect(reachable).toMatchObject({ status: 'True', lastTransitionTime: '2030-01-01T12:00:00Z' })
  })

  test.each([undefined, null, 'text', 7, [], {}])('is now after the status %j', (previous) => {
    const [ready] = conditionsOf({
      ...{ kind: Machine, verdicts: {}, previous, generation: 1, now: NOW },
    })

    expect(ready).toMatchObject({ type: 'Ready', lastTransitionTime: '2030-01-01T12:00:00Z' })
  })
})

describe('Ready', () => {
  const up = yes('Answers', 'it answers')
  const down = no('Unreachable', 'no answer')
  const dark = unknown('NotTried', 'nobody has looked')
  const leaving = yes('Draining', 'its pods are leaving')
  const ready = yes('AllWell', 'all is well')

  test.each([
    ['nothing is said', {}, 'True AsWanted'],
    ['it is said and all else agrees', { Ready: ready, Reachable: up }, 'True AllWell'],
    ['another has to be true and is not', { Reachable: down }, 'False Unreachable'],
    ['the plan says otherwise', { Ready: ready, Reachable: down }, 'False Unreachable'],
    ['another is unknown', { Ready: ready, Reachable: dark }, 'Unknown NotTried'],
    ['another has to be false and is not', { Ready: ready, Deleting: leaving }, 'False Draining'],
    ['another is false as it has to be', { Deleting: no('Staying', 'it stays') }, 'True AsWanted'],
    ['one is unknown and one is wrong', { Reachable: dark, Deleting: leaving }, 'False Draining'],
    ['it is said not to be', { Ready: no('Booting', 'it boots'), Reachable: up }, 'False Booting'],
    ['it is said to be unknown', { Ready: dark, Reachable: down }, 'Unknown NotTried'],
    ['another is left open', { Ready: ready, Reachable: undefined }, 'True AllWell'],
  ])('when %s', (_what, verdicts, expected) => {
    const found = find('Ready', verdicts)

    expect(`${found?.status} ${found?.reason}`).toBe(expected)
  })

  test('does not depend on a condition of which the kind says so', () => {
    const [found] = conditionsOf({
      kind: KubernetesCluster,
      verdicts: { FilesGenerated: no('FileSystemError', 'the disk is full') },
      previous: undefined,
      generation: 1,
      now: NOW,
    })

    expect(found).toMatchObject({ type: 'Ready', status: 'True' })
  })

  test('has the message of what speaks against it', () => {
    expect(find('Ready', { Reachable: down })?.message).toBe('no answer')
  })
})

test('conditions come in the order of the kind, those that it does not have are left out', () => {
  const verdicts = {
    Deleting: no('Staying', 'it stays'),
    Reachable: yes('Answers', 'it answers'),
    Haunted: yes('Ghosts', 'somebody else says so'),
    constructor: yes('Inherited', 'every object has one'),
  }

  expect(judge(verdicts).map(({ type }) => type)).toEqual(['Ready', 'Reachable', 'Deleting'])
})

test('each condition says of which generation it speaks, if there is one', () => {
  expect(judge({}).map(({ observedGeneration }) => observedGeneration)).toEqual([2])

  const [ready] = conditionsOf({
    ...{ kind: Machine, verdicts: {}, previous: {}, generation: undefined, now: NOW },
  })
  expect(ready).not.toHaveProperty('observedGeneration')
})

describe('a message', () => {
  const messageOf = (message: string) => find('Ready', { Ready: no('Broken', message) })?.message

  test('that fits is left as it is', () => {
    expect(messageOf('x'.repeat(4_096))).toBe('x'.repeat(4_096))
  })

  test('that is longer is cut, and says so', () => {
    expect(messageOf('x'.repeat(4_097))).toBe(`${'x'.repeat(4_095)}…`)
  })

  test('is never cut in the middle of a character', () => {
    const cut = messageOf(`${'x'.repeat(4_094)}🔥🔥`)

    expect(cut).toBe(`${'x'.repeat(4_094)}…`)
  })

  test('holds no half character, which would come back as another one', () => {
    expect(messageOf('fire \ud83d and 🔥')).toBe('fire  and 🔥')
  })

  test('does not show what has the shape of a secret', () => {
    expect(messageOf('could not reach https://admin:hunter2@s3.example')).toBe(
      'could not reach https://***@s3.example',
    )
  })
})

test('of a status only what is a condition counts as one', () => {
  const good = aCondition('Ready')
  const bad = [null, 'Ready', { type: 'Ready' }, aCondition('Ready', { message: 7 })]

  expect(conditionsIn({ conditions: [...bad, good] })).toEqual([good])
})

test('the conditions of others are told from the kind’s own, whose order is the kind’s', () => {
  const [foreign, deleting, ready] = ['Haunted', 'Deleting', 'Ready'].map((type) =>
    conditionsIn({ conditions: [aCondition(type)] }),
  )

  const own = ownOf(
    Machine,
    [foreign, deleting, ready].flatMap((one) => one ?? []),
  )

  expect(own.map(({ type }) => type)).toEqual(['Ready', 'Deleting'])
})
