import { expect, test } from 'vitest'
import type { Fields } from '#apiserver/objects.ts'
import { atOnce } from '#apiserver/steps.ts'
import { definitionWarnings } from './definition-warnings.ts'

const definition = (...schemas: Fields[]): Fields => ({
  spec: {
    group: 'example.com',
    names: { kind: 'Thing', plural: 'things' },
    versions: schemas.map((openAPIV3Schema, index) => ({
      name: `v${index + 1}`,
      served: true,
      storage: index === 0,
      schema: { openAPIV3Schema },
    })),
  },
})

const text = (format: string): Fields => ({ type: 'string', format })
const object = (properties: Fields): Fields => ({ type: 'object', properties })

test('a format that means nothing for its type is warned of, wherever it is', () => {
  const schema = object({
    known: text('date-time'),
    odd: text('one'),
    number: { type: 'integer', format: 'int16' },
    list: { type: 'array', items: text('three') },
    map: { type: 'object', additionalProperties: { type: 'boolean', format: 'four' } },
    choice: { type: 'string', anyOf: [{ format: 'five' }] },
  })

  expect(atOnce(definitionWarnings(definition(schema), undefined)).toSorted()).toEqual([
    'unrecognized format "five"',
    'unrecognized format "four"',
    'unrecognized format "int16"',
    'unrecognized format "one"',
    'unrecognized format "three"',
  ])
})

test('what was there before is not warned of again', () => {
  const old = definition(object({ a: text('one') }))
  const next = definition(object({ a: text('one'), b: text('two') }))

  expect(atOnce(definitionWarnings(next, old))).toEqual(['unrecognized format "two"'])
})

test('each version is looked at, unless all are the same', () => {
  const one = object({ a: text('one') })

  expect(atOnce(definitionWarnings(definition(one, one), undefined))).toHaveLength(1)
  expect(
    atOnce(definitionWarnings(definition(one, object({ b: text('two') })), undefined)),
  ).toEqual(['unrecognized format "one"', 'unrecognized format "two"'])
})
