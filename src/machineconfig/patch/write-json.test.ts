import { describe, expect, it } from 'vitest'
import { parseYaml } from '#base/yaml.ts'
import { foldLine } from './fold-line.ts'
import { writeJson } from './write-json.ts'

describe('JSON in the layout of the older YAML library', () => {
  it.each([
    [
      { b: 1, a: { d: [1, { e: 'f', c: null }, [true]], c: [] } },
      'a:\n  c: []\n  d:\n  - 1\n  - c: null\n    e: f\n  - - true\nb: 1\n',
    ],
    [
      { a: 'b\nc\n', d: ['e\nf', ' g\nh'] },
      'a: |\n  b\n  c\nd:\n- |-\n  e\n  f\n- |2-\n   g\n  h\n',
    ],
    [{ 'a\nb': 'c \nd' }, '"a\\nb": "c \\nd"\n'],
    [{}, '{}\n'],
    [[], '[]\n'],
    ['true', '"true"\n'],
    ['a\nb', '|-\n  a\n  b\n'],
    [null, 'null\n'],
    [{ a: {}, b: 1.5, c: 'yes' }, 'a: {}\nb: 1.5\nc: "yes"\n'],
  ])('%j', (value, text) => {
    expect(writeJson(value)).toBe(text)
    expect(parseYaml(text)).toEqual(value)
  })

  it('has long keys on lines of their own', () => {
    const key = 'k'.repeat(129)

    expect(writeJson({ [key]: { a: 'b' } })).toBe(`? ${key}\n: a: b\n`)
    expect(writeJson({ [key]: 1 })).toBe(`? ${key}\n: 1\n`)
  })

  it('breaks long lines at single spaces', () => {
    const words = `${'word '.repeat(20)} end`
    const text = writeJson({ a: words })

    expect(text).toBe(`a: ${'word '.repeat(15)}word\n  ${'word '.repeat(3)}word  end\n`)
    expect(parseYaml(text)).toEqual({ a: words })
    expect(foldLine(`"${words}"`, '', 0)).toBe(`"${words}"`)
  })
})
