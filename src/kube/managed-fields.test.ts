import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutManagedFields } from './managed-fields.ts'

const bare = (text: string): string => withoutManagedFields(Buffer.from(text)).toString('utf8')

test('lists of managed fields become empty, in each of several lines', () => {
  const line = (name: string) =>
    `{"metadata":{"managedFields":[{"fieldsV1":{"f:a":{}}}],"name":"${name}"}}`

  expect(bare(`${line('a')}\n${line('b')}`)).toBe(
    '{"metadata":{"managedFields":[],"name":"a"}}\n{"metadata":{"managedFields":[],"name":"b"}}',
  )
})

test.each([
  '{"metadata":{"name":"a"}}',
  '{"metadata":{"managedFields":null}}',
  '{"data":{"a":"{\\"managedFields\\":[1]}"}}',
  '',
])('what has no such list stays as it is: %s', (text) => {
  expect(bare(text)).toBe(text)
})

test('a line that is cut off stays cut off', () => {
  expect(() => JSON.parse(bare('{"metadata":{"managedFields":[{"manager":"a"'))).toThrow()
})

test('whatever else is in an object, and whatever is in the list, the rest is unharmed', () => {
  const value = fc.jsonValue({ maxDepth: 4 })
  fc.assert(
    fc.property(value, value, fc.array(value), (before, after, managedFields) => {
      const parsed: unknown = JSON.parse(bare(JSON.stringify({ before, managedFields, after })))

      expect(parsed).toEqual(JSON.parse(JSON.stringify({ before, managedFields: [], after })))
    }),
  )
})
