import { describe, expect, test } from 'vitest'
import { kinds } from '#api/kinds.ts'
import { allCases } from './all-cases.ts'
import { untried } from './demands.ts'

test('every kind has a table of cases', () => {
  expect(allCases.map(({ kind }) => kind.kind).sort()).toEqual(kinds.map(({ kind }) => kind).sort())
})

describe.each(allCases)('$kind.kind', ({ kind, cases, status }) => {
  test('the table tries every rule, enum, bound, default and field', () => {
    expect(untried(kind, cases, status)).toEqual([])
  })

  test('a table that tries nothing is found out', () => {
    const nothing = { accepted: [], refused: [] }

    expect(untried(kind, nothing, status)).not.toEqual([])
    expect(untried(kind, cases, nothing)).not.toEqual([])
  })

  test('each case has a title of its own', () => {
    for (const { accepted, refused } of [cases, status]) {
      const titles = [...accepted, ...refused].map(({ title }) => title)
      expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([])
    }
  })
})
