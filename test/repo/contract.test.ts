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
        (await textOf(file)).includes(title) ? [] : [`${point.id}: ${file} has no ${title}`],
      ),
    ),
  )

  expect(missing.flat()).toEqual([])
})

test('what is not shown is the layout alone', () => {
  const open = contract.filter(({ shown }) => 'not' in shown).map(({ id }) => id)

  expect(open).toEqual(['R2'])
})
