import { expect, test } from 'vitest'
import { hostPortProblem } from './split-host-port.ts'

test.each([':1', 'a:1', 'a:', '[fd00::1]:1', '[]:1', '10.0.0.1:http'])('takes %s', (text) => {
  expect(hostPortProblem(text)).toBeUndefined()
})

test.each([
  ['', 'missing port in address'],
  ['a', 'address a: missing port in address'],
  ['a:b:1', 'address a:b:1: too many colons in address'],
  ['[a:1', "address [a:1: missing ']' in address"],
  ['[a:b]', 'address [a:b]: missing port in address'],
  ['[a]b:1', 'address [a]b:1: missing port in address'],
  ['[a]:b:1', 'address [a]:b:1: too many colons in address'],
  ['a[b:1', "address a[b:1: unexpected '[' in address"],
  ['[a[b]:1', "address [a[b]:1: unexpected '[' in address"],
  ['a]b:1', "address a]b:1: unexpected ']' in address"],
])('refuses "%s"', (text, problem) => {
  expect(hostPortProblem(text)).toBe(problem)
})
