import { expect, test } from 'vitest'
import { newClusterId, newKeyText, newToken } from './random-text.ts'

test('tokens are six letters, a dot and sixteen letters', () => {
  for (let count = 0; count < 50; count++) {
    expect(newToken().open()).toMatch(/^[0-9a-z]{6}\.[0-9a-z]{16}$/)
  }
})

test('no letter of a token is likelier than another', () => {
  const seen = new Map<string, number>()
  for (let count = 0; count < 12_000; count++) {
    for (const letter of newToken().open().replace('.', '')) {
      seen.set(letter, (seen.get(letter) ?? 0) + 1)
    }
  }

  expect(seen.size).toBe(36)
  // 7333 of each, give or take six deviations; without rejection the first four would have 8250.
  for (const times of seen.values()) {
    expect(times).toBeGreaterThan(6_830)
    expect(times).toBeLessThan(7_840)
  }
})

test('keys have 256 bits and are not given twice', () => {
  const keys = Array.from({ length: 20 }, () => newKeyText().open())

  expect(new Set(keys).size).toBe(20)
  for (const key of keys) {
    const bytes = Buffer.from(key, 'base64')
    expect(bytes).toHaveLength(32)
    expect(bytes.toString('base64')).toBe(key)
  }
})

test.each([
  [5, /^[A-Za-z0-9_-]{43}=$/, /[_-]/],
  [13, /^[A-Za-z0-9_-]{43}=$/, /[_-]/],
  [14, /^[A-Za-z0-9+/]{43}=$/, /[+/]/],
])('an ID for v1.%i is in its alphabet', (contract, form, letters) => {
  const ids = Array.from({ length: 100 }, () => newClusterId(contract))

  for (const id of ids) expect(id).toMatch(form)
  // One in four has none of these.
  expect(ids.some((id) => letters.test(id))).toBe(true)
})
