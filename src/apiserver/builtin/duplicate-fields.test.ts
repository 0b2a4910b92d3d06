import fc from 'fast-check'
import { expect, test } from 'vitest'
import { atOnce } from '#apiserver/steps.ts'
import { duplicateFieldsIn, fieldProblemsIn } from './duplicate-fields.ts'

const duplicatesIn = (text: string) => atOnce(duplicateFieldsIn(text))
const problemsIn = (text: string, unknown: string[]) => atOnce(fieldProblemsIn(text, unknown))

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
  expect(duplicatesIn(text)).toEqual(expected)
})

test('nothing is found in what was written from a value', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(duplicatesIn(JSON.stringify(JSON.parse(text)))).toEqual([])
    }),
  )
})

test('unknown and repeated fields are told in the order of the text', () => {
  const text =
    '{"metadata":{"name":"a","name":"b","foo":1},"foo":{"x":1,"x":2},"data":{"a":"b","a":"c"},"foo":1}'

  expect(problemsIn(text, ['metadata.foo', 'foo'])).toEqual([
    'duplicate field "metadata.name"',
    'unknown field "metadata.foo"',
    'unknown field "foo"',
    'duplicate field "data.a"',
  ])
})

test('nothing is asked of what is nested in an unknown field', () => {
  const depth = 100_000
  const nested = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

  expect(problemsIn(`{"foo":${nested},"a":1,"a":2}`, ['foo'])).toEqual([
    'unknown field "foo"',
    'duplicate field "a"',
  ])
})

test('a hundred problems are enough', () => {
  const keys = Array.from({ length: 300 }, (_, n) => `"k${n}":1`)

  expect(duplicatesIn(`{${[...keys, ...keys].join()}}`)).toHaveLength(100)
  expect(problemsIn(`{"foo":1,${[...keys, ...keys].join()}}`, ['foo'])).toHaveLength(100)
})

test('a repeat is found however far apart the two are, with pauses on the way', () => {
  const filler = Array.from({ length: 40_000 }, (_, at) => `"key-${at}":"a \\" } value"`).join()
  const steps = duplicateFieldsIn(`{"a":{"b":1,${filler},"b":2}}`)
  let pauses = 0
  let step = steps.next()
  for (; !step.done; step = steps.next()) pauses++

  expect(step.value).toEqual(['a.b'])
  expect(pauses).toBeGreaterThan(5)
})

test('a text of nothing but tiny objects is looked at a little at a time', () => {
  const steps = duplicateFieldsIn(`[${Array.from({ length: 99_000 }, () => '{}').join()}]`)
  let pauses = 0
  for (let step = steps.next(); !step.done; step = steps.next()) pauses++

  expect(pauses).toBeGreaterThan(15)
})
