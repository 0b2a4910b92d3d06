import fc from 'fast-check'
import { expect, test } from 'vitest'
import { duplicateFieldsIn, fieldProblemsIn } from './duplicate-fields.ts'

test.each([
  ['{}', []],
  ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}', []],
  ['{"a":1,"a":2,"a":3}', ['a']],
  ['{"metadata":{"labels":{"a":"1","a":"2"}}}', ['metadata.labels.a']],
  ['{"l":[{},{"x":[1,{"y":0,"y":1}]}]}', ['l[1].x[1].y']],
  ['{"a":{"b":1},"a":{"b":1,"b":2}}', ['a', 'a.b']],
  ['{"\\u0061":1,"a":2}', ['a']],
  ['{"a\\\\":"\\",\\"a\\\\",\n "b" : "a", "b":\t"{"}', ['b']],
  ['{"a":"a","b":"a","c":["a","a"]}', []],
])('in %s %j is there more than once', (text, expected) => {
  expect(duplicateFieldsIn(text)).toEqual(expected)
})

test('nothing is found in what was written from a value', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(duplicateFieldsIn(JSON.stringify(JSON.parse(text)))).toEqual([])
    }),
  )
})

test('unknown and repeated fields are told in the order of the text', () => {
  const text =
    '{"metadata":{"name":"a","name":"b","foo":1},"foo":{"x":1,"x":2},"data":{"a":"b","a":"c"},"foo":1}'

  expect(fieldProblemsIn(text, ['metadata.foo', 'foo'])).toEqual([
    'duplicate field "metadata.name"',
    'unknown field "metadata.foo"',
    'unknown field "foo"',
    'duplicate field "data.a"',
  ])
})
