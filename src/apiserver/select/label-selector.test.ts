import { describe, expect, test } from 'vitest'
import { labelSelectorOf } from './label-selector.ts'

const objects: Record<string, Record<string, string>> = {
  none: {},
  a1: { a: '1' },
  a2: { a: '2', tier: 'front' },
  b: { 'example.com/b': '', tier: 'back' },
}

const selectedBy = (text: string): string[] =>
  Object.keys(objects).filter((name) => labelSelectorOf(text)?.(objects[name] ?? {}))

describe('a label selector selects', () => {
  test.each([
    ['a=1', ['a1']],
    ['a==1', ['a1']],
    [' a = 1 ', ['a1']],
    ['a!=1', ['none', 'a2', 'b']],
    ['a', ['a1', 'a2']],
    ['!a', ['none', 'b']],
    ['a in (1,2)', ['a1', 'a2']],
    ['a in (1),tier', []],
    ['a notin (1)', ['none', 'a2', 'b']],
    ['a in (1,2),tier=front', ['a2']],
    ['example.com/b=', ['b']],
    ['example.com/b in (,x)', ['b']],
    ['a>1', ['a2']],
    ['a<2', ['a1']],
    ['tier>1', []],
    ['constructor', []],
    ['!constructor', ['none', 'a1', 'a2', 'b']],
  ])('%s', (text, names) => {
    expect(selectedBy(text)).toEqual(names)
  })

  test('everything, where it is empty', () => {
    expect(labelSelectorOf('')).toBeUndefined()
    expect(labelSelectorOf('  ')).toBeUndefined()
  })
})

test.each([
  'a in',
  'a in 1',
  'a in (1',
  'a b',
  ',',
  'a,',
  'a,,b',
  '=1',
  '!',
  'a>x',
  'A_/b',
  'a=b/c',
])('what cannot be read is refused: %s', (text) => {
  expect(() => labelSelectorOf(text)).toThrow(expect.objectContaining({ code: 400 }))
})
