import { describe, expect, it } from 'vitest'
import { readYaml } from '#machineconfig/read/yaml-tree.ts'
import { oldPlainValue, plainValue } from './plain-yaml.ts'

const read = (
  text: string,
  of: (node: ReturnType<typeof readYaml>[number]) => unknown,
): unknown => {
  const [node] = readYaml(text)
  return node && of(node)
}

describe('YAML as JSON', () => {
  it('has maps, lists and scalars, with what they bring in', () => {
    expect(read('{a: [1, x, null, 1.5, true], <<: {b: c}, 5: d}', plainValue)).toEqual({
      a: [1, 'x', null, 1.5, true],
      b: 'c',
      5: 'd',
    })
    expect(read('99999999999999999999', plainValue)).toBe(1e20)
    expect(read('9223372036854775807', plainValue)).toBe(2 ** 63)
  })

  it('is another thing to a reader of YAML 1.1', () => {
    const text = '{y: off, "n": "on", o: 017, t: 2001-01-01}'

    expect(read(text, plainValue)).toEqual({ y: 'off', n: 'on', o: 15, t: '2001-01-01' })
    expect(read(text, oldPlainValue)).toEqual({ true: false, n: 'on', o: 15, t: '2001-01-01' })
  })

  it('can bring in nothing but maps', () => {
    expect(() => read('{<<: 5}', plainValue)).toThrow(/^yaml: map merge requires map/)
  })

  it('leaves out keys that are no scalars', () => {
    expect(read('{? [a] : b, c: d}', plainValue)).toEqual({ c: 'd' })
  })
})
