import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLight, jsonInSteps } from './json-text.ts'
import { atOnce } from './steps.ts'

const written = (value: unknown): string => atOnce(jsonInSteps(value))

const heavy = Array.from({ length: 5_000 }, (_, at) => at)

test('what is written in steps is what is written as a whole', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const large = { a: value, heavy, list: [value, heavy, value, { heavy, value }], z: value }

      expect(written(value)).toBe(JSON.stringify(value))
      expect(written(large)).toBe(JSON.stringify(large))
    }),
  )
})

test.each(['x', '\n', '"', 'é', '😀', '\ud83d'])('so is a long text of %j', (letter) => {
  for (const before of ['', 'x']) {
    const text = before + letter.repeat(1_100_000)
    expect(written(text) === JSON.stringify(text)).toBe(true)
  }
})

test('keys may have any name and any order', () => {
  const large = JSON.parse(`{"b":1,"__proto__":{"x":1},"7":2,"constructor":3,"a":[${heavy}]}`)

  expect(written(large)).toBe(JSON.stringify(large))
})

test('what is undefined is left out', () => {
  const large = { none: undefined, heavy, also: undefined, list: [undefined, heavy] }

  expect(written(large)).toBe(JSON.stringify(large))
})

test('there are pauses where there is much', () => {
  const steps = jsonInSteps({ list: Array.from({ length: 50_000 }, () => ({ a: 1 })) })
  let pauses = 0
  while (!steps.next().done) pauses++

  expect(pauses).toBeGreaterThan(10)
  expect(isLight(heavy)).toBe(false)
  expect(isLight(heavy.slice(0, 100))).toBe(true)
})

test('what has grown beyond any object is refused', () => {
  const list = Array.from({ length: 500_001 }, () => 1)
  const map = Object.fromEntries(list.slice(0, 50_001).map((one, at) => [`k${at}`, one]))

  expect(() => written({ list })).toThrow('Request entity too large: more than 500000 values')
  expect(() => written({ map })).toThrow('more than 50000 fields in one map')
})
