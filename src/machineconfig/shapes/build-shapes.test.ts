import { expect, test } from 'vitest'
import { shapeBuilder } from './build-shapes.ts'
import type { FieldText, TypeLine } from './table.ts'

const field = (name: string, type: string): FieldText => ({
  name,
  type,
  omit: 'empty',
  replaced: false,
  since: 5,
})

const types = new Map<string, TypeLine>([
  ['a.Tree', { fields: [field('children', '[]*a.Tree'), field('other', 'a.Words')] }],
  ['a.Words', { of: 'map[string]a.Word' }],
  ['a.Word', { of: 'string' }],
  ['a.Broken', { fields: [field('part', 'a.Missing')] }],
  ['a.Anything', { fields: [field('value', 'map[string]any')] }],
])

test('a type that contains itself is one object', () => {
  const tree = shapeBuilder(types).structOf('a.Tree')

  expect(tree.fields.get('children')?.shape).toEqual({
    is: 'list',
    of: { is: 'pointer', to: tree },
  })
})

test('a name for another type is kept at every level', () => {
  expect(shapeBuilder(types).structOf('a.Tree').fields.get('other')?.shape).toEqual({
    is: 'map',
    name: 'a.Words',
    of: { is: 'leaf', name: 'a.Word', type: { reads: 'string' } },
  })
})

test('a map may hold anything', () => {
  expect(shapeBuilder(types).structOf('a.Anything').fields.get('value')?.shape).toEqual({
    is: 'map',
    of: { is: 'free', name: 'any' },
  })
})

test('a type that is not in the table is said so', () => {
  expect(() => shapeBuilder(types).structOf('a.Broken')).toThrow(
    'there is no struct a.Missing in the table of shapes',
  )
})
