import { expect, test } from 'vitest'
import { lineOf, shown, verdictOf } from './table.ts'

const memory = { name: 'memory', budget: 300, unit: 'MB RSS', better: 'less' } as const
const rate = { name: 'watch-rate', budget: 15_000, unit: 'events/s', better: 'more' } as const

test.each([
  [299.9, memory, 'ok'],
  [300, memory, 'ok'],
  [300.1, memory, 'missed'],
  [14_999, rate, 'missed'],
  [15_000, rate, 'ok'],
  [15_001, rate, 'ok'],
] as const)('%d against the budget of %o is %s', (value, row, verdict) => {
  expect(verdictOf(value, row)).toBe(verdict)
})

test('a line has the name, the figure, the budget, the verdict and how it came about', () => {
  const outcome = { ...rate, value: 16_365.7, detail: 'one listener' }

  const line = lineOf(outcome, ['watch-rate'])

  expect(line.split(/ {2,}/)).toEqual([
    'watch-rate',
    '16,366 events/s',
    '≥ 15,000 events/s',
    'ok',
    'one listener',
  ])
})

test('a budget that is the most is told from one that is the least', () => {
  const line = lineOf({ ...memory, value: 301, detail: '' }, ['memory'])

  expect(line).toContain('≤ 300 MB RSS  missed')
})

test('lines that are printed one by one stand below each other', () => {
  const names = [memory.name, rate.name]

  const lines = [
    lineOf({ ...memory, value: 288, detail: '|' }, names),
    lineOf({ ...rate, value: 9_000, detail: '|' }, names),
  ]

  const columns = lines.map((line) => [line.indexOf('|'), line.search(/ok|missed/)])
  expect(columns[0]).toEqual(columns[1])
})

test('what could not be measured says why', () => {
  const line = lineOf({ ...memory, whyNot: 'there is no Go' }, [memory.name])

  expect(line).toBe('memory  not measured: there is no Go')
})

test.each([
  [15_000.4, '15,000'],
  [288.42, '288'],
  [82.94, '82.9'],
  [5.361, '5.36'],
  [4, '4'],
])('%d is shown as %s', (value, text) => {
  expect(shown(value)).toBe(text)
})
