import { expect, test } from 'vitest'
import { generateName } from './generate-name.ts'

test('a generated name begins as asked and differs from the next', () => {
  const names = new Set(Array.from({ length: 100 }, () => generateName('my-')))

  expect(names.size).toBe(100)
  for (const name of names) expect(name).toMatch(/^my-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
})

test('a generated name fits where names do', () => {
  expect(generateName('a'.repeat(80))).toHaveLength(63)
})
