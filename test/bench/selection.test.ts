import { expect, test } from 'vitest'
import { selected } from './selection.ts'

const rows = [{ name: 'reads' }, { name: 'applies' }, { name: 'run-ready' }]

test.each([undefined, '', ' , '])('without a name, all rows are measured: %j', (only) => {
  expect(selected(rows, only)).toEqual(rows)
})

test('one name chooses one row', () => {
  expect(selected(rows, 'applies')).toEqual([{ name: 'applies' }])
})

test('several names choose several, in the order of the list', () => {
  expect(selected(rows, 'run-ready, reads')).toEqual([{ name: 'reads' }, { name: 'run-ready' }])
})

test('a name that is none is refused with those that are', () => {
  expect(() => selected(rows, 'reads,rites')).toThrow(
    'there is no row rites; there is reads, applies, run-ready',
  )
})
