import { expect, test } from 'vitest'
import type { Lived } from './operator-dies.cases.ts'
import { fatesOf, isUnsteady, rareCalls, sampleOf } from './operator-dies-fates.ts'

const points = [['made'], ['PATCH one #1', 'GET one #1', 'reset one #1']]
const life: Lived = { points, states: [], deeds: [], excused: [], missed: [] }

test('each day has other fates of a long life, the same all day, and after some days all were lived', () => {
  const fates = fatesOf(life)
  const on = (day: number) => sampleOf(fates, { step: 4, offset: day })
  const days = [20_000, 20_001, 20_002, 20_003].map(on)

  expect(fates).toHaveLength(9)
  expect(days.map(({ length }) => length).sort()).toEqual([2, 2, 2, 3])
  expect(new Set(days.flat())).toEqual(new Set(fates))
  expect(on(20_004)).toEqual(days[0])
})

test('fates are of the chapters and of the calls that are asked for', () => {
  const fates = fatesOf(life, { from: 1, at: /^(PATCH|reset)/ })

  expect(fates.map(([first]) => first)).toEqual(Array(6).fill(undefined))
  expect(new Set(fates.map(([, second]) => second?.at))).toEqual(
    new Set(['PATCH one #1', 'reset one #1']),
  )
})

test('a call that one life has and another has not may be missed, and one of a status; any other has to come', () => {
  const withOneMore = { ...life, points: [['made'], [...(points[1] ?? []), 'PATCH one #2']] }
  const rare = rareCalls([life, withOneMore])

  expect([...rare]).toEqual(['PATCH one #2'])
  const all = ['PATCH one #2', 'PATCH ones/status/one #1', 'reset one #1']
  expect(all.map((name) => isUnsteady(name, rare))).toEqual([true, true, false])
})

test('a call that comes in another chapter than before is one that this chapter had and another life had not', () => {
  const moved = {
    ...life,
    points: [
      ['made', 'reset one #1'],
      ['PATCH one #1', 'GET one #1'],
    ],
  }

  expect([...rareCalls([life, moved])]).toEqual(['reset one #1'])
})
