import { expect, test } from 'vitest'
import { allCases, knownDifferences } from './all-cases.ts'

test('the suite is as large as it is promised to be, and every case has a name of its own', () => {
  const names = new Set(allCases.map(({ name }) => name))

  expect(names.size).toBe(allCases.length)
  expect(allCases.length).toBeGreaterThanOrEqual(250)
})

test('each difference that is known has a reason', () => {
  expect(knownDifferences.filter(({ differs }) => differs.length < 20)).toEqual([])
})
