import { describe, expect, test } from 'vitest'
import { documentKind } from '#machineconfig/shapes/shapes.ts'
import { readDocuments } from './read-documents.ts'
import { readPlain } from './read-value.ts'

const patch = (text: string) => readDocuments(text, { allowDeletes: true })
const refusal = (text: string): string => {
  try {
    patch(text)
  } catch (error) {
    return String(error)
  }
  return 'taken'
}

describe('`$patch: delete`', () => {
  test('is an unknown key unless it is allowed', () => {
    expect(() => readDocuments('machine: {network: {$patch: delete}}')).toThrow('$patch: …')
  })

  test('takes what is to be deleted out of the document', () => {
    const { documents, deletes } = patch(
      'machine:\n  network:\n    $patch: delete\n  type: worker\n',
    )

    expect(documents.map(({ fields }) => fields)).toEqual([{ machine: { type: 'worker' } }])
    expect(deletes).toMatchObject([
      {
        path: ['machine', 'network'],
        index: 0,
        apiVersion: '',
        kind: 'v1alpha1',
        key: '',
        value: '',
      },
    ])
  })

  test('leaves no document where nothing is left', () => {
    const { documents, deletes } = patch(
      'machine: {network: {$patch: delete}}\n---\napiVersion: v1alpha1\nkind: LinkConfig\nname: a\n$patch: delete\n',
    )

    expect(documents).toEqual([])
    expect(deletes.map(({ path, index, kind, name }) => [path, index, kind, name])).toEqual([
      [['machine', 'network'], 0, 'v1alpha1', undefined],
      [[], 1, 'LinkConfig', 'a'],
    ])
  })

  test('selects the element of a list by its first key', () => {
    const { documents, deletes } = patch(
      'machine: {network: {interfaces: [{interface: eth0, $patch: delete, mtu: 5}, {$patch: delete, interface: eth1}, {interface: eth2}]}}',
    )

    expect(documents[0]?.fields).toEqual({
      machine: { network: { interfaces: [{ interface: 'eth2' }] } },
    })
    expect(deletes.map(({ path, key, value }) => [path.join('.'), key, value])).toEqual([
      ['machine.network.interfaces.[0]', 'interface', 'eth0'],
      ['machine.network.interfaces.[0]', 'interface', 'eth1'],
    ])
  })

  test('leaves out a list or a map that has nothing else', () => {
    const { documents } = patch(
      'machine: {network: {interfaces: [{interface: a, $patch: delete}]}, type: b}',
    )

    expect(documents[0]?.fields).toEqual({ machine: { type: 'b' } })
  })

  test('leaves alone documents that say only which one they are', () => {
    expect(patch('kind: LinkConfig\nname: a\n').documents).toEqual([])
    expect(refusal('kind: LinkConfig\nname: [a]\n')).toContain('missing apiVersion')
  })

  test('is something else with another value or deeper in it', () => {
    expect(refusal('machine: {$patch: replace}')).toContain('unknown keys')
    expect(refusal('machine: {$patch: [delete]}')).toContain('unknown keys')
    expect(refusal('machine: {[a]: {$patch: delete}, type: b}')).toBe('taken')
    expect(patch('machine: {certSANs: [], sysctls: {}}').documents[0]?.fields).toEqual({
      machine: { certSANs: [], sysctls: {} },
    })
  })

  test.each([
    ['$patch: delete', 'missing apiVersion in document for which $patch: delete is used'],
    [
      'apiVersion: v1alpha1\n$patch: delete',
      'missing kind in document for which $patch: delete is used',
    ],
    ['kind: A\nmachine: {$patch: delete}', 'kind and apiVersion must be both set for path machine'],
    [
      'machine: {a: [{$patch: delete}]}',
      'no key:val found in sequence node for path machine.a.[0]',
    ],
    ['machine: {a: [{b: {$patch: delete}}]}', "cannot delete an inner key in 'machine.a.[0].b'"],
    ['- {a: b, $patch: delete}', 'expected a mapping node'],
  ])('refuses %j', (text, why) => {
    expect(refusal(text)).toContain(`error processing patch delete statements at line 1: ${why}`)
  })
})

describe('documents', () => {
  test('are not judged by version without one', () => {
    const text = 'apiVersion: v1alpha1\nkind: KubeletConfig\nimage: a\n'

    expect(readDocuments(text).documents).toHaveLength(1)
    expect(() => readDocuments(text, { talosVersion: 'v1.13.0' })).toThrow('needs Talos v1.14')
  })

  test('may be none', () => {
    expect(readDocuments('')).toEqual({ documents: [], deletes: [] })
  })
})

describe('a plain value', () => {
  const legacy = documentKind('')
  if (!legacy) throw new Error('there is no legacy kind')

  test('is read as if it were YAML', () => {
    const value = {
      debug: true,
      machine: {
        type: '5',
        certSANs: ['a'],
        kubelet: { extraConfig: { a: 1.5, b: null, c: undefined } },
      },
    }

    expect(readPlain(legacy, value)).toEqual({
      debug: true,
      machine: { type: '5', certSANs: ['a'], kubelet: { extraConfig: { a: 1.5, b: null } } },
    })
  })

  test('is refused without a line', () => {
    expect(() => readPlain(legacy, { debug: 'x', machine: { unknown: 1 } })).toThrow(
      'error decoding  to *v1alpha1.Config: yaml: construct errors:\n  cannot construct !!str `x` into bool',
    )
    expect(() => readPlain(legacy, { machine: { unknown: 1 } })).toThrow('machine:\n    unknown: …')
    expect(() => readPlain(legacy, 5)).toThrow('expected a document, which is an object')
  })

  test('may not be nested too deep', () => {
    let value: unknown = {}
    for (let depth = 0; depth < 200; depth++) value = { machine: value }

    expect(() => readPlain(legacy, value)).toThrow('nested more than 100 deep')
  })
})
