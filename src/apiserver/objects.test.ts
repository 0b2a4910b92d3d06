import { expect, test } from 'vitest'
import { type Fields, put } from './objects.ts'

test.each(['__proto__', 'constructor', 'a'])('a field may be called %s', (key) => {
  const fields: Fields = {}

  put(fields, key, { inherited: true })

  expect(JSON.stringify(fields)).toBe(`{"${key}":{"inherited":true}}`)
  expect(Object.getPrototypeOf(fields)).toBe(Object.prototype)
})
