import { expect, test } from 'vitest'
import { readYaml } from './read-yaml.ts'
import { isNull, resolvePlain, resolveScalar, tagOf } from './resolve-scalar.ts'

const LIMITS = {
  ...{ letters: 1000, lines: 10, levels: 10, nodes: 100, aliased: 100, escapes: 10 },
}

const node = (text: string) => {
  const [root] = readYaml(text, LIMITS)
  if (root?.kind !== 'scalar') throw new Error('no scalar')
  return root
}

test.each([
  ['', '!!null', null],
  ['~', '!!null', null],
  ['NULL', '!!null', null],
  ['nul', '!!str', 'nul'],
  ['true', '!!bool', true],
  ['FALSE', '!!bool', false],
  ['yes', '!!str', 'yes'],
  ['5', '!!int', 5],
  ['+5', '!!int', 5],
  ['-5', '!!int', -5],
  ['1_000', '!!int', 1000],
  ['0x1F', '!!int', 31],
  ['-0x10', '!!int', -16],
  ['0b101', '!!int', 5],
  ['0o17', '!!int', 15],
  ['017', '!!int', 15],
  ['08', '!!float', 8],
  ['9007199254740991', '!!int', 9007199254740991],
  ['9007199254740993', '!!int', 9007199254740993n],
  ['-9223372036854775808', '!!int', -9223372036854775808n],
  ['18446744073709551615', '!!int', 18446744073709551615n],
  ['18446744073709551616', '!!float', 2 ** 64],
  ['+18446744073709551615', '!!float', 2 ** 64],
  ['-9223372036854775809', '!!float', -(2 ** 63)],
  ['1.5', '!!float', 1.5],
  ['.5', '!!float', 0.5],
  ['1e3', '!!float', 1000],
  ['1e400', '!!str', '1e400'],
  ['.x', '!!str', '.x'],
  ['-', '!!str', '-'],
  ['1.2.3', '!!str', '1.2.3'],
  ['.inf', '!!float', Number.POSITIVE_INFINITY],
  ['-.Inf', '!!float', Number.NEGATIVE_INFINITY],
  ['.nan', '!!float', Number.NaN],
  ['-0', '!!float', -0],
  ['<<', '!!merge', '<<'],
  ['2020-01-02', '!!timestamp', '2020-01-02'],
  ['12:30', '!!str', '12:30'],
  ['é', '!!str', 'é'],
])('%j without quotes is %s', (text, tag, value) => {
  expect(resolvePlain(text)).toEqual({ tag, value })
})

test('a number of thousand digits is one, and a longer one is a text', () => {
  expect(resolvePlain('1'.repeat(300)).tag).toBe('!!float')
  expect(resolvePlain('1'.repeat(1001)).tag).toBe('!!str')
})

test('quotes and tags say what a scalar is', () => {
  expect(resolveScalar(node('"5"'))).toEqual({ tag: '!!str', value: '5' })
  expect(resolveScalar(node('!!str 5'))).toEqual({ tag: '!!str', value: '5' })
  expect(resolveScalar(node('!!int "5"'))).toEqual({ tag: '!!int', value: 5 })
  expect(resolveScalar(node('!mine 5'))).toEqual({ tag: '!mine', value: '5' })
})

test('only what is null without quotes is null', () => {
  expect(
    ['~', '!!null x', 'null', '""', '[]', 'a', '!!str ~'].map((text) => {
      const [root] = readYaml(text, LIMITS)
      return root && isNull(root)
    }),
  ).toEqual([true, true, true, false, false, false, false])
})

test('every node has a tag to show', () => {
  expect(
    ['{}', '[]', '5', 'a', '!x {}'].map((text) => {
      const [root] = readYaml(text, LIMITS)
      return root && tagOf(root)
    }),
  ).toEqual(['!!map', '!!seq', '!!int', '!!str', '!x'])
})
