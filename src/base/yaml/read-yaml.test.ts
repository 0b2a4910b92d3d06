import { expect, test } from 'vitest'
import { readFirstInSteps, readYaml } from './read-yaml.ts'
import type { YamlLimits } from './yaml-limits.ts'
import type { YamlNode } from './yaml-node.ts'

const MANY = 100_000
const comments = '#\n'.repeat(MANY)
const ANY = Number.POSITIVE_INFINITY
const limits: YamlLimits = {
  ...{ letters: ANY, lines: ANY, nodes: ANY, levels: 100, aliased: ANY, escapes: ANY },
}

function plain(node: YamlNode): unknown {
  if (node.kind === 'scalar') return node.text
  if (node.kind === 'list') return node.items.map(plain)
  return node.entries.map(({ key, value }) => [plain(key), plain(value)])
}

function read(text: string) {
  const steps = readFirstInSteps(text, limits)
  for (let pauses = 0; ; pauses++) {
    const step = steps.next()
    if (step.done) return { pauses, value: step.value && plain(step.value) }
  }
}

test.each([
  ['before a document', `${comments}a: b\n`],
  ['after one', `a: b\n${comments}`],
  ['before a value', `a:\n${comments}  b\n`],
  ['between keys', `a: b\n${comments}c: d\n`],
  ['between items', `- a\n${comments}- b\n`],
  ['in brackets', `[\n${comments}a]`],
  ['before a comma', `{a: b\n${comments}, c: d}`],
])('comments are passed with pauses: %s', (_, text) => {
  const without = read(text.replace(comments, ''))
  const { pauses, value } = read(text)

  expect(value).toEqual(without.value)
  expect(pauses).toBeGreaterThan(without.pauses + 4)
})

test('a tab indents nothing, however many comments are before it', () => {
  const text = `a:\n${comments}\tb: c\n`
  expect(() => readYaml(text, limits)).toThrow('found character that cannot start any token')
  expect(readYaml(`a: [\n${comments}\tb]\n`, limits)).toHaveLength(1)
})

test.each([
  ['|', 'one\ntwo\n\n\n  three\nfour\n'],
  ['|-', 'one\ntwo\n\n\n  three\nfour'],
  ['|+', 'one\ntwo\n\n\n  three\nfour\n\n'],
  ['>', 'one two\n\n\n  three\nfour\n'],
  ['>-', 'one two\n\n\n  three\nfour'],
  ['>+', 'one two\n\n\n  three\nfour\n\n'],
])('a block after %s keeps the breaks that it is to keep', (sign, text) => {
  expect(read(`a: ${sign}\n  one\n  two\n\n\n    three\n  four\n\nb: c\n`).value).toEqual([
    ['a', text],
    ['b', 'c'],
  ])
})

test('a block of nothing but empty lines is as many breaks only if they are to be kept', () => {
  expect(read('a: |+\n\n\n').value).toEqual([['a', '\n\n']])
  expect(read('a: >\n\n\n').value).toEqual([['a', '']])
})

test('a block of very many lines is read with pauses', () => {
  const text = `a: >\n${' x\n'.repeat(MANY)}`
  expect(read(text)).toEqual({
    value: [['a', `${'x '.repeat(MANY - 1)}x\n`]],
    pauses: expect.toSatisfy((pauses: number) => pauses > MANY / 100),
  })
})
