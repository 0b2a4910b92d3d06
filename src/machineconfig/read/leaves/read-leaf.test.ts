import { describe, expect, test } from 'vitest'
import { Refusal } from '#machineconfig/read/refusal.ts'
import { readYaml } from '#machineconfig/read/yaml-tree.ts'
import type { LeafType } from '#machineconfig/shapes/leaf-type.ts'
import { leafCases } from './read-leaf.cases.ts'
import { readLeaf, readsText } from './read-leaf.ts'

function read(type: LeafType, text: string): unknown {
  const [node] = readYaml(text)
  if (node?.kind !== 'scalar') throw new Error('no scalar')
  const value = readLeaf({ is: 'leaf', type, name: 'nethelpers.Word' }, node)
  return value instanceof Refusal ? `refused: ${value.why}` : value
}

for (const [reads, cases] of Object.entries(leafCases)) {
  describe(`a ${reads}`, () => {
    test.each(cases)('is read from %j', (text, value) => {
      const type = { reads } as LeafType // the table is keyed by the ways that need no parameter
      expect(read(type, text)).toBe(value)
    })
  })
}

describe('an integer', () => {
  test.each([
    ['0', 'uint8', 0],
    ['255', 'uint8', 255],
    ['256', 'uint8', undefined],
    ['-1', 'uint8', undefined],
    ['127', 'int8', 127],
    ['-128', 'int8', -128],
    ['128', 'int8', undefined],
    ['-129', 'int8', undefined],
    ['4.0', 'uint16', 4],
    ['1.5', 'uint16', undefined],
    ['-0', 'uint16', 0],
    ['"5"', 'uint16', undefined],
    ['9007199254740991', 'int64', 9007199254740991],
    ['9007199254740993', 'int64', undefined],
  ] as const)('is read from %s as %s', (text, type, value) => {
    expect(read(INTEGERS[type], text)).toBe(value)
  })
})

const INTEGERS = {
  uint8: { reads: 'integer', bits: 8, signed: false },
  int8: { reads: 'integer', bits: 8, signed: true },
  uint16: { reads: 'integer', bits: 16, signed: false },
  int64: { reads: 'integer', bits: 64, signed: true },
} as const

describe('one of some words', () => {
  const words: LeafType = {
    reads: 'enum',
    values: new Map([
      ['slow', 5],
      ['layer3+4', 5],
    ]),
    zero: 'slow',
  }

  test.each([
    ['slow', 'slow'],
    ['SLOW', 'slow'],
    ['Layer3+4', 'layer3+4'],
    ['fast', 'refused: fast does not belong to Word values'],
    ['""', 'refused:  does not belong to Word values'],
  ])('is read from %s', (text, value) => {
    expect(read(words, text)).toBe(value)
  })
})

test('a text that is too long for its type is refused', () => {
  const long = 'a'.repeat(8193)

  expect(read({ reads: 'url' }, long)).toBe('refused: longer than 8192 characters')
  expect(read({ reads: 'url' }, long.slice(1))).toBe(long.slice(1))
  expect(read({ reads: 'string' }, long)).toBe(long)
  expect(read({ reads: 'expression' }, long)).toBe(long)
})

test('a binary is read as the text that it is', () => {
  expect(read({ reads: 'string' }, '!!binary aGVsbG8=')).toBe('hello')
})

test('some types take any scalar and refuse the rest in their own words', () => {
  expect(readsText({ reads: 'address' })).toBe(true)
  expect(readsText({ reads: 'enum', values: new Map(), zero: '' })).toBe(true)
  expect(readsText({ reads: 'string' })).toBe(false)
})
