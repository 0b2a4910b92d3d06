import { expect, test } from 'vitest'
import { problemsOfName, problemsOfPrefix, wildcardSubdomain } from './name-rules.ts'

test.each([
  ['subdomain', 'a.b-c.1'],
  ['label', '1a'],
  ['label1035', 'a1'],
  ['pathSegment', 'system:Node ü'],
] as const)('%s takes %s', (rule, name) => {
  expect(problemsOfName(rule, name)).toEqual([])
})

test.each([
  ['subdomain', 'a..b', 'a lowercase RFC 1123 subdomain must consist of'],
  ['label', 'a.b', 'must not contain dots'],
  ['label', 'A', 'a lowercase RFC 1123 label must consist of'],
  ['label', 'a'.repeat(64), 'must be no more than 63 characters'],
  ['label1035', '1a', 'a DNS-1035 label must consist of'],
  ['pathSegment', 'a/b', "may not contain '/'"],
  ['pathSegment', 'a%b', "may not contain '%'"],
  ['pathSegment', '..', "may not be '..'"],
] as const)('%s does not take %s', (rule, name, problem) => {
  expect(problemsOfName(rule, name)).toEqual([expect.stringContaining(problem)])
})

test('what a name is generated from may end in a dash, if there is more to it', () => {
  expect(problemsOfPrefix('subdomain', 'a-')).toEqual([])
  expect(problemsOfPrefix('subdomain', '-')).toHaveLength(1)
  expect(problemsOfPrefix('pathSegment', '..')).toEqual([])
})

test('a wildcard stands for the first part of a name only', () => {
  expect(wildcardSubdomain('*.example.com')).toEqual([])
  expect(wildcardSubdomain('a.*.com')).toHaveLength(1)
})
