import { expect, test } from 'vitest'
import { type Regex, regexOf } from './regex.ts'

function regex(pattern: string): Regex {
  const found = regexOf(pattern)
  if (typeof found === 'string') throw new Error(found)
  return found
}

test.each([
  ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', 'foo-bar', true],
  ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', 'foo-', false],
  ['a.c', 'xxabcxx', true],
  ['a.c', 'a\nc', false],
  ['(?s)a.c', 'a\nc', true],
  ['(?i)straße', 'STRAßE', true],
  ['^b$', 'a\nb', false],
  ['(?m)^b$', 'a\nb\nc', true],
  ['a$', 'a\n', false],
  ['\\bfoo\\b', 'a foo b', true],
  ['\\bfoo\\b', 'afoob', false],
  ['^\\p{Lu}\\pL+$', 'Éa', true],
  ['^[[:alpha:]_]+$', 'ab_c', true],
  ['^[^\\d]+$', 'a1', false],
  ['^(?:ab|a)(?:c|bcd)$', 'abcd', true],
  ['^a{2,3}$', 'aaaa', false],
  ['^x*$', '', true],
  ['^\\Qa.b\\E$', 'a.b', true],
  ['^.$', '😀', true],
  ['a{x}', 'a{x}', true],
])('%s looks for itself in %j', (pattern, text, expected) => {
  expect(regex(pattern).test(text)).toBe(expected)
})

test.each([
  ['b+?', 'abbb', 'b'],
  ['foo|foobar', 'foobar', 'foo'],
  ['foobar|foo', 'foobar', 'foobar'],
  ['[^a]+', 'aé😀', 'é😀'],
  ['(?U)a.*', 'abc', 'a'],
  ['a*', 'xaa', ''],
])('%s finds in %j what Perl would', (pattern, text, expected) => {
  const match = regex(pattern).find(text)

  expect(match && text.slice(match.start, match.end)).toBe(expected)
})

test.each([
  ['[', 'missing closing ]: `[`'],
  ['(', 'missing closing ): `(`'],
  ['a)', 'unexpected ): `a)`'],
  ['a**', 'invalid nested repetition operator: `a**`'],
  ['*a', 'missing argument to repetition operator: `*a`'],
  ['a{1001}', 'invalid repeat count: `a{1001}`'],
  ['[b-a]', 'invalid character class range: `[b-a]`'],
  ['(?=a)', 'invalid or unsupported Perl syntax: `(?=a)`'],
  ['\\8', 'invalid escape sequence: `\\8`'],
])('%s is none: %s', (pattern, problem) => {
  expect(regexOf(pattern)).toBe(problem)
})

test('a pattern that backtracking would never finish with takes no time', () => {
  expect(regex('^(a+)+$').test(`${'a'.repeat(5000)}b`)).toBe(false)
  expect(regex('\\b(a|aa)+\\b$').test(`${'a'.repeat(2000)}!`)).toBe(false)
})
