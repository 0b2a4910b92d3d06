import { expect, test } from 'vitest'
import {
  isOn,
  itemsAt,
  keysAt,
  numberAt,
  sectionAt,
  sectionsAt,
  textAt,
  textEntriesAt,
  textsAt,
  valueAt,
} from './fields.ts'

const fields = {
  text: 'a',
  number: 5,
  on: true,
  off: false,
  none: null,
  list: ['a', null, { b: 'c' }],
  map: { '😀': 'x', '\uffff': 'y', b: 1 },
}

test('what is absent or of another type is empty', () => {
  expect([textAt(fields, 'text'), textAt(fields, 'number'), textAt(undefined, 'text')]).toEqual([
    'a',
    '',
    '',
  ])
  expect([numberAt(fields, 'number'), numberAt(fields, 'text')]).toEqual([5, 0])
  expect(['on', 'off', 'text', 'x'].map((key) => isOn(fields, key))).toEqual([
    true,
    false,
    false,
    false,
  ])
  expect(['map', 'list', 'none', 'text', 'x'].map((key) => sectionAt(fields, key))).toEqual([
    fields.map,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test('a list keeps its nulls', () => {
  expect(itemsAt(fields, 'list')).toBe(fields.list)
  expect(itemsAt(fields, 'map')).toEqual([])
  expect(sectionsAt(fields, 'list')).toEqual([undefined, undefined, { b: 'c' }])
  expect(textsAt(fields, 'list')).toEqual(['a', '', ''])
})

test('the keys of a map come in the order of their bytes', () => {
  expect(keysAt(fields, 'map')).toEqual(['b', '\uffff', '😀'])
  expect(keysAt(fields, 'text')).toEqual([])
  expect(textEntriesAt(fields, 'map')).toEqual([
    ['b', ''],
    ['\uffff', 'y'],
    ['😀', 'x'],
  ])
})

test('what only JavaScript knows is not there', () => {
  expect(valueAt({}, 'constructor')).toBeUndefined()
  expect(valueAt({ constructor: 1 }, 'constructor')).toBe(1)
})
