import { describe, expect, test } from 'vitest'
import { kinds } from '#api/kinds.ts'
import { allCases } from './all-cases.ts'
import { untried } from './demands.ts'

test('every kind has a table of cases', () => {
  expect(allCases.map(({ kind }) => kind.kind).sort()).toEqual(kinds.map(({ kind }) => kind).sort())
})

describe.each(allCases)('$kind.kind', ({ kind, cases }) => {
  test('the table tries every rule, enum, bound, default and required field of the schema', () => {
    expect(untried(kind, cases)).toEqual([])
  })

  test('a table that tries nothing is found out', () => {
    expect(untried(kind, { accepted: [], refused: [] })).not.toEqual([])
  })

  test('each case has a title of its own', () => {
    const titles = [...cases.accepted, ...cases.refused].map(({ title }) => title)

    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([])
  })
})
