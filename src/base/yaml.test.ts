import { expect, test } from 'vitest'
import { parseYaml, toYaml } from './yaml.ts'

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
