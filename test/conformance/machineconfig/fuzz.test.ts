import { expect, test } from 'vitest'
import { goodTexts, mutatedTexts } from './fuzz-inputs.ts'
import { isTaken, ways } from './fuzz-target.ts'

const SEED = 4
const COUNT = 2_000
const PATCHES = 4
// An empty item of a list in two texts, and in two more a VethConfig whose ends are called the same:
// v1.14 takes neither.
const NOT_IN_V1_14 = 4

const fail = () => {
  throw new Error('there is no such way')
}

test('what is mutated is good before, but for patches and a few that v1.14 refuses', () => {
  const way = ways['read as v1.14'] ?? fail
  const refused = goodTexts().filter((text) => !isTaken(way, text))

  expect(refused).toHaveLength(PATCHES + NOT_IN_V1_14)
})

test('the same seed makes the same texts', () => {
  expect([...mutatedTexts(SEED, 50)]).toEqual([...mutatedTexts(SEED, 50)])
  expect([...mutatedTexts(SEED, 50)]).not.toEqual([...mutatedTexts(SEED + 1, 50)])
})

test(`${COUNT} texts that were good once are taken or refused, and nothing else happens`, () => {
  let taken = 0
  for (const text of mutatedTexts(SEED, COUNT)) {
    for (const way of Object.values(ways)) taken += isTaken(way, text) ? 1 : 0
  }

  expect(taken).toBeGreaterThan(COUNT / 20)
})
