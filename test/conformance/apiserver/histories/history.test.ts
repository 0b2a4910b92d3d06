import { expect, test } from 'vitest'
import { chanceOf } from './chance.ts'
import { historyOf } from './history.ts'
import { laidOver, oddly } from './parts.ts'

const SEEDS = Array.from({ length: 60 }, (_, seed) => seed)

test('a seed tells the same history each time, and another seed another one', () => {
  expect(historyOf(7, 12)).toEqual(historyOf(7, 12))
  expect(historyOf(7, 12)).not.toEqual(historyOf(13, 12))
})

test('a longer history begins like a shorter one', () => {
  expect(historyOf(5, 12).steps.slice(0, 4)).toEqual(historyOf(5, 4).steps)
})

test('histories are of all kinds and have every sort of write', () => {
  const histories = SEEDS.map((seed) => historyOf(seed, 12))

  const kinds = new Set(histories.map(({ kind }) => kind))
  expect([...kinds].sort()).toEqual(['ConfigMap', 'Deployment', 'Pod', 'Service', 'Thing'])
  const writes = new Set(
    histories.flatMap(({ steps }) =>
      steps.map(({ method, contentType = '' }) => `${method} ${contentType}`.trim()),
    ),
  )
  expect([...writes].sort()).toEqual([
    'DELETE',
    'PATCH application/apply-patch+yaml',
    'PATCH application/json-patch+json',
    'PATCH application/merge-patch+json',
    'PATCH application/strategic-merge-patch+json',
    'POST',
    'PUT',
  ])
})

test('each choice is made about as often as the others', () => {
  const chance = chanceOf(1)
  const counts = [0, 0, 0]
  for (let turn = 0; turn < 3000; turn += 1) {
    const choice = chance.below(3)
    counts[choice] = (counts[choice] ?? 0) + 1
  }

  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150)
})

test('fields are laid over others, and a null removes', () => {
  expect(laidOver({ a: { b: 1, c: 2 }, d: [1] }, { a: { b: null }, d: [2] })).toEqual({
    a: { c: 2 },
    d: [2],
  })
})

test('oddities are as often as told', () => {
  const odds = { nulls: 1, twice: 1, emptied: 0, unknown: 0 }

  expect(oddly({ a: 1 }, odds, chanceOf(1))).toEqual({ a: null })
  expect(oddly([1], odds, chanceOf(1))).toEqual([1, 1])
  expect(oddly({ a: [1] }, { ...odds, nulls: 0, twice: 0 }, chanceOf(1))).toEqual({ a: [1] })
})
