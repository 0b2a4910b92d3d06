import { expect, test } from 'vitest'
import { growthPicture } from './growth-picture.ts'

const picture = growthPicture({
  date: '2026-01-02',
  commit: 'abc',
  points: [
    { clusters: 10, upSeconds: 8, residentMb: 80, cpuPercent: 0.1, writes: 0 },
    { clusters: 100, upSeconds: 50, residentMb: 100, cpuPercent: 1, writes: 0 },
    { clusters: 1_000, upSeconds: 450, residentMb: 400, cpuPercent: 9, writes: 0 },
  ],
})
const panels = picture.split('<g ').slice(1)

test('each figure has a panel, and each size a point that says its value', () => {
  expect(
    panels.map((panel) => [...panel.matchAll(/<title>(.+?)</g)].map(([, said]) => said)),
  ).toEqual([
    ['10: 80', '100: 100', '1000: 400'],
    ['10: 0.1', '100: 1', '1000: 9'],
    ['10: 8', '100: 50', '1000: 450'],
    ['10: 0', '100: 0', '1000: 0'],
  ])
})

test('axes begin at nothing and end at a round number that all fit below', () => {
  const [memory, , , writes] = panels.map((panel) =>
    [...panel.matchAll(/text-anchor="end">(.+?)</g)].map(([, tick]) => tick),
  )
  expect(memory).toEqual(['0', '250', '500'])
  expect(writes).toEqual(['0', '0.5', '1'])
})

test('a point is as high as its value says', () => {
  const heights = [...(panels[0] ?? '').matchAll(/cy="(\d+)"/g)].map(([, y]) => Number(y))
  expect(heights).toEqual([160, 152, 38])
})
