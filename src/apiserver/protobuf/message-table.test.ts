import { expect, test } from 'vitest'
import { definitions } from '#apiserver/builtin/generated/kinds.ts'
import { definitionOf, nameOfReference } from '#apiserver/builtin/table.ts'
import { messages } from './generated/messages.ts'
import { placesOf } from './message-table.ts'
import { isSpecial } from './special-messages.ts'

const names = definitions
  .split('\n')
  .map((line) => nameOfReference(line.slice(0, line.indexOf('|'))))

test('every built-in type has a message, or is read in a way of its own', () => {
  const lines = messages
    .split('\n')
    .map((line) => nameOfReference(line.slice(0, `${line} `.indexOf(' '))))

  expect(lines).toEqual(names.filter((name) => !isSpecial(name)))
})

test('every field of a built-in type has its own place in the message', () => {
  for (const name of names.filter((one) => !isSpecial(one))) {
    const places = placesOf(name)
    const missing = definitionOf(name).fields.filter(({ name: field }) =>
      places.every((place) => place.field.name !== field),
    )

    expect(new Set(places.map(({ path }) => path.join('.'))).size, name).toBe(places.length)
    expect(
      missing.map((field) => field.name).filter((one) => !TYPE_META.has(one)),
      name,
    ).toEqual([])
  }
})

const TYPE_META = new Set(['apiVersion', 'kind'])
