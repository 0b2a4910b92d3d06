import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allCases, knownDifferences } from './cases/all-cases.ts'
import { unknownNames } from './known-differences.ts'

const PAGE = join(import.meta.dirname, '../../../docs/reference/embedded-api.md')

test('every difference is told to users, with its reason', async () => {
  const page = (await readFile(PAGE, 'utf8')).replaceAll(/\s+/g, ' ')

  const missing = knownDifferences.filter(({ differs }) => !page.includes(differs))
  expect(knownDifferences.length).toBeGreaterThan(0)
  expect(missing).toEqual([])
})

test('no difference is told of a case that there is not', () => {
  expect(unknownNames(allCases.map(({ name }) => name))).toEqual([])
})

test('there are at least as many cases as were promised', () => {
  expect(allCases.length).toBeGreaterThanOrEqual(250)
})
