import { expect, test } from 'vitest'
import { describeDifferences, differencesOf } from './differences.ts'
import type { Entry } from './transcript.ts'

const entry = (body: unknown, rest: Partial<Entry> = {}): Entry => ({
  step: 'GET /x',
  body,
  ...rest,
})

test('equal transcripts have no differences, whatever the order of their keys', () => {
  expect(differencesOf([entry({ a: 1, b: [{}] })], [entry({ b: [{}], a: 1 })])).toEqual([])
})

test('a difference tells its step, its place and both values', () => {
  const differences = differencesOf(
    [entry({}), entry({ items: [{ 'a.b': 'x' }] })],
    [entry({}), entry({ items: [{ 'a.b': 'y' }] })],
  )

  expect(differences).toEqual([
    { where: '2. GET /x →.body.items[0]["a.b"]', expected: '"x"', actual: '"y"' },
  ])
  expect(describeDifferences(differences)).toBe(
    '2. GET /x →.body.items[0]["a.b"]\n  kube-apiserver: "x"\n  embedded:       "y"',
  )
})

test.each([
  ['a status', entry({}, { status: 200 }), entry({}, { status: 201 })],
  ['a content type', entry({}, { contentType: 'a' }), entry({}, { contentType: 'b' })],
  ['a warning', entry({}, { warnings: ['a'] }), entry({})],
  ['a field that is absent', entry({ a: null }), entry({})],
  ['null instead of an empty list', entry({ a: [] }), entry({ a: null })],
  ['an item too many', entry({ a: [1] }), entry({ a: [1, 2] })],
  ['a list instead of an object', entry({ a: {} }), entry({ a: [] })],
  ['a number instead of a text', entry({ a: '1' }), entry({ a: 1 })],
])('%s is a difference', (_, expected, actual) => {
  expect(differencesOf([expected], [actual])).toHaveLength(1)
})

test('a step that one side lacks is a difference', () => {
  expect(differencesOf([entry({})], [])).toMatchObject([
    { where: '1. GET /x →', actual: '(absent)' },
  ])
  expect(differencesOf([], [entry({})])).toMatchObject([
    { where: '1. GET /x →', expected: '(absent)' },
  ])
})
