import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { loadPatch } from './load-patch.ts'

const load = (text: string) => loadPatch({ name: '@p.yaml', text })
const kindOf = (text: string): string => load(text).content.is
const steps = (text: string): string[] => {
  const { content } = load(text)
  return content.is === 'strategic'
    ? content.steps.map((step) =>
        step.do === 'merge' ? `merge ${step.document.kind.kind}` : `delete ${step.selector.kind}`,
      )
    : []
}
const host = 'apiVersion: v1alpha1\nkind: HostnameConfig\n'

describe('a patch', () => {
  it.each([
    ['machine: {token: a}', 'strategic'],
    ['{"machine": {"token": "a"}}', 'strategic'],
    ['machine: {token: {$patch: delete}}', 'strategic'],
    ['[{"op": "add", "path": "/a", "value": 1}]', 'json'],
    ['- op: add\n  path: /a\n', 'json'],
    ['- null\n', 'json'],
    ['[]', 'json'],
    ['null', 'json'],
    ['', 'json'],
    ['# nothing', 'json'],
    ['[{"op": "add", "op": "test", "path": "/a"}]', 'json'],
  ])('that says %j is a %s one', (text, kind) => {
    expect(kindOf(text)).toBe(kind)
  })

  it.each([
    ['{}', 'config not found'],
    ['version: v1alpha1', 'config not found'],
    ['machine: {foo: bar}', 'error decoding document /v1alpha1/ (line 1): unknown keys'],
    [`${host}---\n${host}`, 'duplicate document v1alpha1/HostnameConfig/ is not allowed (line 4)'],
    ['hello', 'expected a YAML document at line 1'],
    ['- a\n', 'expected a YAML document at line 1'],
    ['[{"op": ', 'not valid JSON'],
    ['["add"]', 'json: cannot unmarshal string into Go value of type jsonpatch.Operation'],
    ['[[]]', 'json: cannot unmarshal array into Go value of type jsonpatch.Operation'],
    ['[true]', 'json: cannot unmarshal bool into Go value of type jsonpatch.Operation'],
    [
      'machine: {network: {interfaces: [{$patch: delete}]}}',
      'error processing patch delete statements at line 1',
    ],
  ])('that says %j is refused by its name', (text, why) => {
    expect(() => load(text)).toThrow(`@p.yaml: ${why}`)
  })

  it('may not bring documents that shut one another out', () => {
    const named = (kind: string): string => `apiVersion: v1alpha1\nkind: ${kind}\nname: a\n`

    expect(() => load(`${named('LinkConfig')}---\n${named('DummyLinkConfig')}`)).toThrow(
      '@p.yaml: conflicting documents: LinkConfig/a and DummyLinkConfig/a',
    )
    expect(() =>
      load(`${named('LinkConfig')}---\n${named('LinkConfig').replace('a\n', '"a"\n')}`),
    ).toThrow('duplicate document')
  })

  it('does the legacy document first, its deletes before all', () => {
    const text = `${host}hostname: a\n---\n${host}$patch: delete\n---\nmachine: {token: a, network: {$patch: delete}}\n`

    expect(steps(text)).toEqual([
      'delete v1alpha1',
      'merge ',
      'merge HostnameConfig',
      'delete HostnameConfig',
    ])
  })

  it('may be a value: an object, a list of operations or a text', () => {
    const of = (value: unknown): string => loadPatch({ name: 'configPatches[0]', value }).content.is

    expect(of({ machine: { token: 'a' } })).toBe('strategic')
    expect(of('machine: {token: a}')).toBe('strategic')
    expect(of([{ op: 'add', path: '/a' }])).toBe('json')
    expect(of(undefined)).toBe('json')
    expect(() => of({ machine: { foo: 1 } })).toThrow('configPatches[0]: error decoding document')
    expect(() => of(['add'])).toThrow('configPatches[0]: json: cannot unmarshal string')
  })

  it('is not nested without end', () => {
    const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)])
    const operation = { op: 'add', path: '/a', value: deep(200) }

    expect(() => loadPatch({ name: 'p', value: { a: deep(200) } })).toThrow(
      'p: nested more than 100 deep',
    )
    expect(() => loadPatch({ name: 'p', value: [operation] })).toThrow(
      'p: nested more than 100 deep',
    )
    expect(() => load(JSON.stringify([operation]))).toThrow('@p.yaml: nested more than 100 deep')
    expect(() => load('['.repeat(4_000_000))).toThrow('@p.yaml: nested more than 100 deep')
    expect(() => load(`["${'['.repeat(200)}"]`)).toThrow('cannot unmarshal string')
  })

  it('does not print what it brings', () => {
    const patch = load('machine: {token: hush.hush}')

    expect([`${patch}`, JSON.stringify(patch), inspect(patch)].join()).toBe(
      'patch @p.yaml,"patch @p.yaml",patch @p.yaml',
    )
  })
})
