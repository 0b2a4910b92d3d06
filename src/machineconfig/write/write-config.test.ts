import { describe, expect, test } from 'vitest'
import { MachineConfig } from '#machineconfig/machine-config.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { readPlain } from '#machineconfig/read/read-value.ts'
import { documentKind, documentKinds } from '#machineconfig/shapes/shapes.ts'
import { writtenCases } from './cases/written.cases.ts'
import { toPlain } from './plain.ts'
import { writeConfig } from './write-config.ts'
import { writeValue } from './write-value.ts'

const rewritten = (text: string): string => writeConfig(readConfig(text))
const labels = (text: string): string =>
  rewritten(`machine: {nodeLabels: {a: ${text}}}`).split('nodeLabels:\n')[1] ?? ''

describe('a configuration is written as talosctl does', () => {
  test.each(writtenCases)('$text', ({ text, written }) => {
    expect(rewritten(text)).toBe(written)
  })

  test.each(writtenCases)('and what is written stays as it is: $text', ({ written }) => {
    expect(rewritten(written)).toBe(written)
  })

  test('there is a case for every kind', () => {
    const kinds = new Set(
      writtenCases.flatMap(({ text }) => readConfig(text).documents.map(({ kind }) => kind.kind)),
    )

    expect(documentKinds().filter(({ kind, since }) => since <= 13 && !kinds.has(kind))).toEqual([])
  })

  test('one without documents is an empty text', () => {
    expect(writeConfig(new MachineConfig([]))).toBe('')
  })

  test('a key with a line break is quoted', () => {
    expect(rewritten('machine: {sysctls: {"a\\nb": c}}')).toContain('        "a\\nb": c\n')
  })

  test('a long key stands alone, and what is nested after it on its line', () => {
    const key = 'k'.repeat(129)

    expect(writeValue({ [key]: { a: 'b', c: ['d'] } })).toBe(
      `? ${key}\n:   a: b\n    c:\n        - d\n`,
    )
    expect(writeValue({ [key]: 'a', b: 'c' })).toBe(`b: c\n? ${key}\n: a\n`)
  })

  test('a struct without a field that must be there is an empty map', () => {
    const kind = documentKind('VolumeConfig')
    if (!kind) throw new Error('there is no such kind')
    const empty = { ...kind, shape: { ...kind.shape, fields: new Map() } }

    expect(writeConfig(new MachineConfig([{ kind: empty, fields: {} }]))).toBe('{}\n')
  })
})

describe('where talosctl would write what it cannot read back, we differ', () => {
  test('a text that begins with spaces and is not indented by four', () => {
    const files = (content: string): string =>
      rewritten(`machine: {files: [{content: "${content}"}]}`)

    expect(files('  a\\nb')).toContain('- content: "  a\\nb"\n')
    expect(readConfig(files('  a\\nb')).documents[0]?.fields).toMatchObject({
      machine: { files: [{ content: '  a\nb' }] },
    })
    expect(labels('"  a\\nb"')).toBe(
      '        a: |4-\n              a\n            b\ncluster: null\n',
    )
  })

  test('empty lines before a line that begins with a space', () => {
    expect(labels('"\\n\\n a"')).toBe('        a: "\\n\\n a"\ncluster: null\n')
  })

  test('line breaks of Unicode', () => {
    expect(labels('"a\\Lb\\P"')).toBe('        a: "a\\Lb\\P"\ncluster: null\n')
  })
})

describe('a configuration as plain values', () => {
  test('has what is written and nothing else', () => {
    const config = readConfig(
      'machine: {files: [{permissions: 0o644}], kubelet: {extraArgs: {a: "", b: c}}, network: {interfaces: [~]}, certSANs: []}',
    )

    expect(toPlain(config)).toEqual([
      {
        version: '',
        machine: {
          type: '',
          token: '',
          certSANs: [],
          kubelet: { extraArgs: { a: null, b: 'c' } },
          network: { interfaces: [null] },
          files: [{ content: '', permissions: 420, path: '', op: '' }],
        },
        cluster: null,
      },
    ])
  })

  test('is read as the same configuration', () => {
    for (const { text } of writtenCases) {
      const config = readConfig(text)
      const plain = toPlain(config)
      const again = config.documents.map(({ kind }, at) => ({
        kind,
        fields: readPlain(kind, plain[at]),
      }))
      expect(writeConfig(new MachineConfig(again))).toBe(writeConfig(config))
    }
  })
})
