import { expect, test } from 'vitest'
import { parseYaml } from '#base/yaml.ts'
import { parseYamlBodyInSteps } from './parse-yaml.ts'
import { atOnce } from './steps.ts'

const parsed = (text: string): unknown => atOnce(parseYamlBodyInSteps(text))

test.each([
  'a: 1\nb: [x, {y: z}]\nc: |\n  one\n  two\n',
  'base: &b {x: 1}\nmore:\n  <<: *b\n  y: 2\n',
  '{a: b, c: [d]}',
  '',
  '- 1\n- null\n- "s"\n',
  '{"a": 1}',
])('%j is read as it is elsewhere', (text) => {
  expect(parsed(text)).toEqual(parseYaml(text))
})

test.each(['a: 1\na: 2\n', 'a: [1\n', 'a: *none\n', 'a: 1\n---\nb: 2\n', '{a: {b: 1, b: 2}}'])(
  '%j is refused in the same words',
  (text) => {
    const words = (parse: (text: string) => unknown): string => {
      try {
        parse(text)
        return 'nothing is wrong'
      } catch (error) {
        return String(error)
      }
    }
    expect(words(parsed)).toBe(words(parseYaml))
    expect(words(parsed)).not.toBe('nothing is wrong')
  },
)

test('JSON may be long, and YAML may not', () => {
  const list = Array.from({ length: 5_000 }, (_, at) => ({ name: `item-${at}` }))

  expect(parsed(JSON.stringify({ list }))).toEqual({ list })
  expect(() => parsed(`list:\n${'- name: item\n'.repeat(2_000)}`)).toThrow(
    'Request entity too large: limit is 16384 for YAML that is not JSON',
  )
})
