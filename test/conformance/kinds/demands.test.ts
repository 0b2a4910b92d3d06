import { describe, expect, test } from 'vitest'
import { defineKind } from '#api/meta.ts'
import { integer, list, object, oneOf, optional, text } from '#api/schema.ts'
import { Worker } from '#api/worker.ts'
import type { KindCases, StatusCases } from './cases.ts'
import { untried } from './demands.ts'
import { workerStatusCases } from './status.cases.ts'
import { workerCases } from './worker.cases.ts'

const enough = { rule: 'self.wheels > 1', message: 'too few wheels' }

const Hamster = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Hamster',
  plural: 'hamsters',
  stem: 'hamster',
  shortNames: ['hm'],
  description: 'A small animal.',
  columns: [],
  specRequired: true,
  spec: object(
    'What is wanted.',
    {
      name: text('What it answers to.', { minLength: 2, maxLength: 20, pattern: '^[a-z]+$' }),
      colour: oneOf('Its fur.', ['brown', 'white'], { default: 'brown' }),
      wheels: optional(integer('How many wheels it has.', { minimum: 1, maximum: 40 })),
      food: optional(list('What it eats.', text('One food.'), { maxItems: 4 })),
      friends: optional(list('Whom it likes.', text('A name.'), { listType: 'set' })),
    },
    { rules: [enough] },
  ),
  status: object('What is there.', {
    mood: optional(oneOf('How it is.', ['awake'])),
    seen: optional(text('When it was last seen.', { format: 'date-time' })),
    steps: optional(integer('How far it ran.')),
  }),
  conditions: { Ready: 'It is awake.' },
})

// What the API says to a hamster that is refused, and what the table lacks without it.
const REFUSALS = [
  { at: 'spec', says: 'Required value', lacks: 'required spec' },
  { at: 'spec.name', says: 'Required value', lacks: 'required spec.name' },
  { at: 'spec.name', says: 'should be at least 2 chars long', lacks: 'minLength spec.name' },
  { at: 'spec.name', says: 'may not be more than 20 bytes', lacks: 'maxLength spec.name' },
  { at: 'spec.name', says: "should match '^[a-z]+$'", lacks: 'pattern spec.name' },
  {
    at: 'spec.colour',
    says: 'Unsupported value: "green"',
    lacks: 'a word outside of the enum spec.colour',
  },
  { at: 'spec.wheels', says: 'should be greater than or equal to 1', lacks: 'minimum spec.wheels' },
  { at: 'spec.wheels', says: 'should be less than or equal to 40', lacks: 'maximum spec.wheels' },
  { at: 'spec.food', says: 'must have at most 4 items', lacks: 'maxItems spec.food' },
  { at: 'spec.friends[1]', says: 'Duplicate value', lacks: 'two of the same spec.friends' },
  { at: 'spec', says: 'too few wheels', lacks: 'rule spec: too few wheels' },
]
const STATUS_REFUSALS = [
  {
    at: 'status.mood',
    says: 'Unsupported value: "cross"',
    lacks: 'a word outside of the enum status.mood',
  },
  { at: 'status.seen', says: 'must be of type date-time', lacks: 'format status.seen' },
]

const cases: KindCases = {
  accepted: [
    {
      title: 'a hamster',
      spec: { name: 'bo', wheels: 2, food: ['oats'] },
      becomes: { colour: 'brown', name: 'bo', wheels: 2, food: ['oats'] },
    },
    {
      title: 'two friends',
      spec: { name: 'bo', friends: ['al', 'cy'] },
      becomes: { friends: ['al', 'cy'] },
    },
    ...['brown', 'white'].map((colour) => ({ title: colour, spec: { name: 'bo', colour } })),
  ],
  refused: REFUSALS.map(({ at, says }) => ({ title: says, at, says })),
}
const status: StatusCases = {
  accepted: [{ title: 'all', status: { mood: 'awake', seen: '2030-01-01T00:00:00Z', steps: 3 } }],
  refused: STATUS_REFUSALS.map(({ at, says }) => ({ title: says, status: {}, at, says })),
}

const NOT_THE_REASON = 'must be of type integer'
/** The same refusals, but one of them for another reason. */
const fooled = <Case extends { at: string; says: string }>(all: Case[], index: number): Case[] =>
  all.map((one, at) => (at === index ? { ...one, says: NOT_THE_REASON } : one))

test('a table that tries everything lacks nothing', () => {
  expect(untried(Hamster, cases, status)).toEqual([])
})

describe('a refusal at the right place and for another reason does not count', () => {
  test.each(REFUSALS.map((one, index) => ({ ...one, index })))('$lacks', ({ lacks, index }) => {
    const refused = fooled(cases.refused, index)

    expect(untried(Hamster, { ...cases, refused }, status)).toEqual([lacks])
  })

  test.each(STATUS_REFUSALS.map((one, index) => ({ ...one, index })))(
    '$lacks',
    ({ lacks, index }) => {
      const refused = fooled(status.refused, index)

      expect(untried(Hamster, cases, { ...status, refused })).toEqual([lacks])
    },
  )

  test('a bound that is another number', () => {
    const wheels = integer('How many wheels it has.', { minimum: 1, maximum: 4 })
    const Other = defineKind({
      ...Hamster,
      spec: object('What is wanted.', { ...Hamster.spec.properties, wheels }),
    })

    expect(untried(Other, cases, status)).toContain('maximum spec.wheels')
  })

  test('a bound that is planted on a kind of ours', () => {
    const replicas = integer('How many workers.', { default: 1, maximum: 2 })
    const Planted = defineKind({
      ...Worker,
      spec: object('The pool.', { ...Worker.spec.properties, replicas }),
    })

    const lacking = untried(Planted, workerCases, workerStatusCases)
    expect(lacking).toEqual(['maximum spec.replicas'])
  })
})

describe('what is accepted has to show', () => {
  test('each word, each default, each field, and a value that each bound lets through', () => {
    expect(untried(Hamster, { ...cases, accepted: [] }, status)).toEqual([
      'a good value for the maxItems of spec.food',
      'a good value for the maxLength of spec.name',
      'a good value for the maximum of spec.wheels',
      'a good value for the minLength of spec.name',
      'a good value for the minimum of spec.wheels',
      'a good value for the pattern of spec.name',
      ...['colour', 'food', 'friends', 'name', 'wheels'].map(
        (field) => `a value that is kept in spec.${field}`,
      ),
      'default spec.colour',
      'enum spec.colour: brown',
      'enum spec.colour: white',
    ])
  })

  test('each field of the status', () => {
    expect(untried(Hamster, cases, { ...status, accepted: [] })).toEqual([
      'a good value for the format of status.seen',
      'a value that is kept in status.mood',
      'a value that is kept in status.seen',
      'a value that is kept in status.steps',
      'enum status.mood: awake',
    ])
  })

  test('a default that has been turned round', () => {
    const colour = oneOf('Its fur.', ['brown', 'white'], { default: 'white' })
    const Other = defineKind({
      ...Hamster,
      spec: object('What is wanted.', { ...Hamster.spec.properties, colour }),
    })

    expect(untried(Other, cases, status)).toEqual(['default spec.colour'])
  })

  test('an object without a spec, where there need not be one', () => {
    const Other = defineKind({ ...Hamster, specRequired: false })

    expect(untried(Other, cases, status)).toEqual(['an object without a spec'])
  })
})

test('two rules that blame the same field in the same words cannot be told apart', () => {
  const rules = [enough, { ...enough, rule: 'self.wheels < 9' }]
  const Other = defineKind({
    ...Hamster,
    spec: object('What is wanted.', Hamster.spec.properties, { rules }),
  })

  expect(untried(Other, cases, status)).toEqual([
    'another message for the second rule spec: too few wheels',
  ])
})
