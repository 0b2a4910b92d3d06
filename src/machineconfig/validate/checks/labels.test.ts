import { expect, test } from 'vitest'
import { annotationProblems, labelProblems, taintProblems } from './labels.ts'

const long = 'a'.repeat(64)
const longDomain = 'a'.repeat(254)

test.for([
  ['a.example/b', 'c', []],
  ['a_B.c-d', '', []],
  ['a'.repeat(63), 'a'.repeat(63), []],
  ['', 'a', ['name cannot be empty: ""']],
  ['a/', 'a', ['name cannot be empty: "a/"']],
  ['/a', 'a', ['prefix cannot be empty: "/a"']],
  ['a/b/c', 'a', ['invalid format: too many slashes: "a/b/c"']],
  ['A/b', 'a', [`prefix "A" is invalid: domain doesn't match required format: "A"`]],
  [
    `${longDomain}/b`,
    'a',
    [`prefix "${longDomain}" is invalid: domain name length exceeds limit of 253: "${longDomain}"`],
  ],
  [long, 'a', [`name is too long: "${long}" (limit is 63)`]],
  ['-a', 'b-', ['name "-a" is invalid', 'label value "b-" is invalid']],
  ['a', long, [`label value length exceeds limit of 63: "${long}"`]],
] as const)('label %s: %s', ([key, value, problems]) => {
  expect(labelProblems([[key, value]])).toEqual(problems)
})

test('annotations may say anything, up to a size, but for those that Talos keeps', () => {
  expect(annotationProblems([['a', '{"x": 1}']])).toEqual([])
  expect(
    annotationProblems([
      ['a b', ''],
      ['talos.dev/owned-taints', ''],
    ]),
  ).toEqual(['name "a b" is invalid', 'annotation "talos.dev/owned-taints" is reserved'])
  const half = 'é'.repeat(64 * 1024 - 1)
  expect(
    annotationProblems([
      ['aa', half],
      ['bb', half],
    ]),
  ).toEqual([])
  expect(
    annotationProblems([
      ['aa', half],
      ['bbb', half],
    ]),
  ).toEqual(['total annotation size exceeds limit of 262144 bytes'])
})

test.for([
  ['a', 'NoSchedule', []],
  ['a', 'b:NoExecute', []],
  ['a', ':PreferNoSchedule', []],
  ['a', 'b', ['invalid taint effect: "b"']],
  ['a', 'b:', ['invalid taint effect: ""']],
  ['a', 'b:NoExecute:NoSchedule', ['invalid taint effect: "NoExecute:NoSchedule"']],
  ['a', '-:NoExecute', ['label value "-" is invalid']],
  ['-', 'x', ['name "-" is invalid']],
] as const)('taint %s: %s', ([key, taint, problems]) => {
  expect(taintProblems([[key, taint]])).toEqual(problems)
})
