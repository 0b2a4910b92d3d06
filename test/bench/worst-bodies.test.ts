import { expect, test } from 'vitest'
import { worstCalls } from './worst-bodies.ts'

test('no body is larger than a server takes, and each request has a name of its own', () => {
  const calls = worstCalls()
  for (const { name, text, body } of calls) {
    expect((text ?? JSON.stringify(body) ?? '').length, name).toBeLessThanOrEqual(3 * 1024 * 1024)
  }
  expect(new Set(calls.map(({ name }) => name)).size).toBe(calls.length)
})
