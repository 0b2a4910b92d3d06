import { expect, test } from 'vitest'
import { parseYaml, parseYamlDocuments, toYaml } from './yaml.ts'

test.each(['yes', 'on', 'n', '1_0', '0b1', '012', '0o17', '1:30', '2026-11-17', 'null', '~'])(
  'the text %s is one to every reader',
  (text) => {
    expect(toYaml({ [text]: text })).toBe(`${JSON.stringify(text)}: ${JSON.stringify(text)}\n`)
    expect(parseYaml(toYaml([text]))).toEqual([text])
  },
)

test('nothing is written as a reference to something else', () => {
  const shared = { a: 1 }

  expect(toYaml([shared, shared])).toBe('- a: 1\n- a: 1\n')
})

test('a text may have several documents, or none', () => {
  expect(parseYamlDocuments('a: 1\n---\n---\n{"b": [2]}\n')).toEqual([{ a: 1 }, null, { b: [2] }])
  expect(parseYamlDocuments('')).toEqual([])
})

test('of the document that is wrong the line is told, and nothing of what is in it', () => {
  expect(() => parseYamlDocuments('a: 1\n---\nsecret: [hunter2\n')).toThrow(
    /^not valid YAML: .* at line [34], column \d+$/,
  )
})
