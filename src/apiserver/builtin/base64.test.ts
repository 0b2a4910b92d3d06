import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalBase64 } from './base64.ts'

test('what Go writes is left as it is', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const text = Buffer.from(bytes).toString('base64')
      expect(canonicalBase64(text)).toBe(text)
    }),
  )
})

test('line breaks and stray bits go', () => {
  expect(canonicalBase64('aGVs\nbG8=\r\n')).toBe('aGVsbG8=')
  expect(canonicalBase64('aGVsbG9=')).toBe('aGVsbG8=')
})

// Where kube-apiserver v1.36.4 stops reading.
test.each([
  ['###', 0],
  ['aGVs#G8=', 4],
  ['aGVsbG8', 4],
  ['aGVsbG8=x', 8],
  ['a===', 1],
  ['aa=a', 2],
  ['aa=', 3],
  ['aGV-', 3],
  ['aGV_', 3],
  ['aGVs bG8=', 4],
])('%s is refused at byte %i', (text, at) => {
  expect(() => canonicalBase64(text)).toThrow(`illegal base64 data at input byte ${at}`)
})
