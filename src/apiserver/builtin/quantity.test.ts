import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalQuantity } from './quantity.ts'

// Each pair is what kube-apiserver v1.36.4 answers.
test.each([
  ['1000m', '1'],
  ['1.5', '1500m'],
  ['0.5', '500m'],
  ['.5', '500m'],
  ['1.500', '1.500'],
  ['+5', '+5'],
  ['1e3', '1e3'],
  ['1E3', '1E3'],
  ['1e10', '10e9'],
  ['1e100', '10e99'],
  ['5e-1', '500e-3'],
  ['1024Ki', '1Mi'],
  ['1000Ki', '1000Ki'],
  ['1.5Gi', '1536Mi'],
  ['0.1Ki', '102400m'],
  ['1000', '1k'],
  ['1024', '1024'],
  ['1000000', '1M'],
  ['10000000000', '10G'],
  ['1500000000000000000000', '1500E'],
  ['0.000001k', '1m'],
  ['100000m', '100'],
  [' 1 ', '1'],
  ['00', '0'],
  ['.', '0'],
  ['-', '0'],
  ['1.', '1.'],
  ['8Ei', '9223372036854775807'],
  ['99999999999999999999Gi', '9223372036854775807'],
])('%s is written as %s', (text, canonical) => {
  expect(canonicalQuantity(text)).toBe(canonical)
})

test.each(['', '1x', 'abc', '1KiB', 'true', '{}', '1e1.5'])('"%s" is no quantity', (text) => {
  expect(() => canonicalQuantity(text)).toThrow(
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  )
})

test.each(['1ii', '1e', '1Kii', '1e99999999'])('the suffix of %s is wrong', (text) => {
  expect(() => canonicalQuantity(text)).toThrow("unable to parse quantity's suffix")
})

test('what has been written once is written the same again', () => {
  const suffix = fc.constantFrom(
    '',
    'n',
    'u',
    'm',
    'k',
    'M',
    'G',
    'Ki',
    'Mi',
    'Gi',
    'Ti',
    'e3',
    'e-4',
  )
  fc.assert(
    fc.property(fc.nat(), fc.nat(999), suffix, (whole, fraction, suffix) => {
      const once = canonicalQuantity(`${whole}.${fraction}${suffix}`)
      expect(canonicalQuantity(once)).toBe(once)
    }),
  )
})
