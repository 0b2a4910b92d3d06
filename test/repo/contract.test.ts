import { expect, test } from 'vitest'
import { contract, testsOf } from '#scripts/generate/contract-table.ts'
import { textOf } from './tree.ts'

const POINTS = 64

test('every point of the contract of KubernetesCluster is in the table, once and in order', () => {
  const ids = Array.from({ length: POINTS }, (_, at) => `R${at + 1}`)

  expect(contract.map(({ id }) => id)).toEqual(ids)
})

test('the tests that show the points are there', async () => {
  const missing = await Promise.all(
    contract.flatMap((point) =>
      testsOf(point).map(async ([file, title]) =>
        hasTest(await textOf(file), title) ? [] : [`${point.id}: ${file} has no ${title}`],
      ),
    ),
  )

  expect(missing.flat()).toEqual([])
})

// What begins a title: a test that is run, or a row of a table of tests. Not a comment, and none that is skipped.
const BEFORE = /((^|[^.\w])test\(|\)\(|\[)\s*['"`]$|\b(title|what): ['"`]$/

function hasTest(text: string, title: string): boolean {
  return text
    .split(title)
    .slice(0, -1)
    .some((before) => BEFORE.test(before.slice(-40)))
}

test('a title in a comment or of a test that is skipped shows nothing', () => {
  expect(hasTest("test('R1: one')", 'R1: one')).toBe(true)
  expect(hasTest("test.each(rows)(\n  'R1: one'", 'R1: one')).toBe(true)
  expect(hasTest("  ['R1: one', 1],", 'R1: one')).toBe(true)
  expect(hasTest('// R1: one', 'R1: one')).toBe(false)
  expect(hasTest("test.skip('R1: one')", 'R1: one')).toBe(false)
})

test('every point is shown by a test', () => {
  expect(contract.filter((point) => testsOf(point).length === 0)).toEqual([])
})
