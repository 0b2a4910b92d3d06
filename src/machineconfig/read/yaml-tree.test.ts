import { describe, expect, test } from 'vitest'
import type { YamlNode } from '#base/yaml/yaml-node.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import { unreadableTexts } from './yaml-refused.cases.ts'
import { readableTexts } from './yaml-tree.cases.ts'
import { readYaml } from './yaml-tree.ts'

function shown(node: YamlNode): string {
  const tag = node.tag && `${node.tag} `
  if (node.kind === 'scalar') {
    return tag + (node.plain ? node.text || '∅' : JSON.stringify(node.text))
  }
  if (node.kind === 'list') return `${tag}[${node.items.map(shown).join(', ')}]`
  return `${tag}{${node.entries.map(({ key, value }) => `${shown(key)}: ${shown(value)}`).join(', ')}}`
}

const refusal = (text: string): string => {
  try {
    readYaml(text)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'taken'
}

describe('YAML is read as go-yaml reads it', () => {
  test.each(readableTexts)('%j', (text, tree) => {
    expect(readYaml(text).map(shown).join(' --- ')).toBe(tree)
  })

  test('nodes know the line and the column on which they begin', () => {
    const [root] = readYaml('# a\n---\nb:\n  - &x c\n  - *x\n')

    expect(root).toMatchObject({ line: 3, column: 1 })
    const list = root?.kind === 'map' ? root.entries[0]?.value : undefined
    expect(list).toMatchObject({ line: 4, column: 3, items: [{ line: 4, column: 5 }, { line: 4 }] })
  })

  test('a map or list with an anchor above it begins at the anchor', () => {
    expect(readYaml('&a\n\nb: c')[0]).toMatchObject({ line: 1 })
  })

  test('an alias is the very node that it stands for', () => {
    const [root] = readYaml('a: &x [b]\nc: *x')

    const values = root?.kind === 'map' ? root.entries.map(({ value }) => value) : []
    expect(values[1]).toBe(values[0])
  })

  test('an anchor holds for the documents that follow', () => {
    expect(readYaml('&a b\n---\n*a').map(shown)).toEqual(['b', 'b'])
  })
})

describe('what is no YAML is refused with the place and none of the text', () => {
  test.each(unreadableTexts)('%j', (text, why) => {
    expect(refusal(text)).toBe(`decode error: yaml: ${why}`)
  })

  test('the words of a secret do not come up', () => {
    for (const text of [
      'a: "hunter2',
      'a: hunter2: b',
      'hunter2\n b: c',
      'a: *hunter2',
      '!hunter2!x y',
    ]) {
      expect(refusal(text)).toMatch(/^decode error: yaml: /)
      expect(refusal(text)).not.toContain('hunter2')
    }
  })

  test('letters that no text has are refused', () => {
    expect(refusal('a: \0')).toBe(
      'decode error: yaml: offset 3: control characters are not allowed',
    )
    expect(refusal('a: \x1b')).toContain('control characters')
    expect(refusal('a: \uffff')).toContain('control characters')
    expect(refusal('a: \ud83d')).toContain('control characters')
    expect(refusal('a: \u{1f600}')).toBe('taken')
  })
})

describe('what would take long or much memory is refused', () => {
  const MEBIBYTE = 1024 * 1024

  test('more than 4 MiB', () => {
    expect(refusal('x'.repeat(4 * MEBIBYTE))).toBe('taken')
    expect(refusal('x'.repeat(4 * MEBIBYTE + 1))).toBe('decode error: yaml: longer than 4 MiB')
  })

  test('more than 100,000 lines', () => {
    expect(refusal('\n'.repeat(100_000))).toBe('taken')
    expect(refusal('\n'.repeat(100_001))).toBe('decode error: yaml: more than 100000 lines')
    expect(refusal('\r'.repeat(100_001))).toBe('decode error: yaml: more than 100000 lines')
  })

  test('more than 30,000 values', () => {
    expect(refusal(`[${'a,'.repeat(29_999)}]`)).toBe('taken')
    expect(refusal(`[${'a,'.repeat(30_000)}]`)).toContain('more than 30000 values')
    expect(refusal('--- a\n'.repeat(30_001))).toContain('more than 30000 values')
  })

  test('more than 100,000 escapes', () => {
    expect(refusal(`"${'\\n'.repeat(90_000)}"`)).toBe('taken')
    expect(refusal(`"${'\\n'.repeat(110_000)}"`)).toContain('found too many escapes')
  })

  test('more than 100 levels, in brackets or by indentation', () => {
    expect(refusal('['.repeat(100) + ']'.repeat(100))).toBe('taken')
    expect(refusal('['.repeat(101) + ']'.repeat(101))).toContain('exceeded max depth of 100')
    expect(refusal('['.repeat(1_000_000))).toContain('exceeded max depth of 100')
    expect(refusal('- '.repeat(1_000_000))).toContain('exceeded max depth of 100')
    expect(refusal('? '.repeat(1_000_000))).toContain('exceeded max depth of 100')
    expect(refusal(`${'- '.repeat(100)}a`)).toBe('taken')
    expect(refusal(`${'- '.repeat(101)}a`)).toContain('exceeded max depth of 100')
  })

  test('aliases that unfold to too many values', () => {
    const laughs = Array.from(
      { length: 20 },
      (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`,
    )

    expect(refusal(['a0: &a0 [x, x]', ...laughs].join('\n'))).toContain('more than 30000 values')
  })

  test('aliases that unfold to more than 4 MiB', () => {
    const text = 'x'.repeat(MEBIBYTE)
    const aliases = (count: number): string => `[${Array(count).fill('*a').join(', ')}]`

    expect(refusal(`a: &a ${text}\nb: ${aliases(3)}`)).toBe('taken')
    expect(refusal(`a: &a ${text}\nb: ${aliases(5)}`)).toBe(
      'decode error: yaml: aliases stand for more than 4 MiB',
    )
    expect(refusal(`a: &a ${text}\nb: &b ${aliases(2)}\nc: [*b, *b]`)).toContain('more than 4 MiB')
  })

  test('aliases that nest too deep', () => {
    const deep = (inner: string): string => `${'['.repeat(60)}${inner}${']'.repeat(60)}`

    expect(refusal(`a: &a ${deep('x')}\nb: *a`)).toBe('taken')
    expect(refusal(`a: &a ${deep('x')}\nb: ${deep('*a')}`)).toContain('exceeded max depth of 100')
    expect(refusal(`a: &a ${deep('x')}\nb: &b [*a]\nc: ${deep('*b')}`)).toContain(
      'exceeded max depth',
    )
  })

  test('lines of anchors without an end', () => {
    expect(refusal('&a\n!b\n'.repeat(40_000))).toContain('did not find expected node content')
  })
})
