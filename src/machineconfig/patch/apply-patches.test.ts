import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import { applyPatches, patchText } from './apply-patches.ts'
import { loadPatch } from './load-patch.ts'
import { patchedFields, patchedText } from './patched.cases.ts'

const base = 'machine: {type: worker, certSANs: [a], sysctls: {x: "1"}}\n'
const add = '[{"op": "add", "path": "/machine/certSANs/-", "value": "b"}]'
const host = 'apiVersion: v1alpha1\nkind: HostnameConfig\n'

describe('patches', () => {
  it('come one after another, of both kinds', () => {
    expect(
      patchedFields(base, add, 'machine: {certSANs: [c]}', add, add, 'machine: {token: t}'),
    ).toEqual([
      {
        machine: {
          type: 'worker',
          token: 't',
          certSANs: ['a', 'b', 'c', 'b', 'b'],
          sysctls: { x: '1' },
        },
      },
    ])
  })

  it('give the text itself if there are none, and the same configuration', () => {
    const config = readConfig(base)

    expect(patchText(base, [])).toBe(base)
    expect(applyPatches(config, [])).toBe(config)
    expect(patchedFields(base)).toEqual([config.documents[0]?.fields])
  })

  it('of JSON do not change the configuration that they are for', () => {
    const config = readConfig(base)
    const before = writeConfig(config)

    const patched = applyPatches(config, [loadPatch({ name: 'one', text: add })])

    expect(patched.documents[0]?.fields).toMatchObject({ machine: { certSANs: ['a', 'b'] } })
    expect(writeConfig(config)).toBe(before)
  })

  it('print what a JSON patch makes without reading it', () => {
    const foo = '[{"op": "add", "path": "/machine/foo", "value": "y"}]'

    expect(patchedText('{machine: {type: worker}, version: v1alpha1}', foo)).toBe(
      'machine:\n  foo: "y"\n  type: worker\nversion: v1alpha1\n',
    )
    expect(() => patchedFields(base, foo)).toThrow(
      /^patch 0: error decoding document .*: unknown keys/s,
    )
    expect(() => patchedText(base, 'machine: {token: a}', foo, 'machine: {token: b}')).toThrow(
      /^patch 1: error decoding document/,
    )
  })

  it('print what a strategic patch makes as Talos writes it', () => {
    expect(patchedText(base, 'machine: {token: t}')).toBe(
      `version: ""
machine:
    type: worker
    token: t
    certSANs:
        - a
    sysctls:
        x: "1"
cluster: null
`,
    )
  })

  it('of JSON are for a single document', () => {
    const why = 'JSON6902 patches are not supported for multi-document machine configuration'

    expect(() => patchedText(`${base}---\n${host}`, add)).toThrow(`patch 0: ${why}`)
    expect(() => patchedText(base, host, add)).toThrow(`patch 1: ${why}`)
    expect(() => patchedText('', add)).toThrow(`patch 0: ${why}`)
  })

  it('say what is wrong with the configuration itself', () => {
    expect(() => patchedFields('machine: {foo: 1}', 'machine: {token: a}')).toThrow(
      /^error decoding document/,
    )
    expect(() => patchedFields('# nothing', 'machine: {token: a}')).toThrow(/^config not found$/)
    const links = ['LinkConfig', 'VRFConfig'].map(
      (kind) => `apiVersion: v1alpha1\nkind: ${kind}\nname: a\n`,
    )
    expect(() => patchedFields(links.join('---\n'), 'machine: {}')).toThrow(
      /^conflicting documents/,
    )
  })

  it('share what they leave as it is', () => {
    const config = readConfig(`${base}---\n${host}auto: stable\n`)
    const patch = loadPatch({ name: 'p', text: 'machine: {token: t}' })
    const [machine, hostname] = applyPatches(config, [patch]).documents

    expect(hostname).toBe(config.documents[1])
    expect(machine).not.toBe(config.documents[0])
  })

  it.each([
    [base, 'machine: {sysctls: {}, certSANs: []}'],
    ['machine: {kubelet: {extraConfig: {a: 1}}}', 'machine: {kubelet: {extraConfig: {}}}'],
    [
      'apiVersion: v1alpha1\nkind: VolumeConfig\nname: STATE\n',
      'apiVersion: v1alpha1\nkind: VolumeConfig\nname: STATE\n',
    ],
  ])('leave %j as it is if there is nothing in them', (text, nothing) => {
    const config = readConfig(text)
    const patch = loadPatch({ name: 'p', text: nothing })

    expect(applyPatches(config, [patch]).documents[0]).toBe(config.documents[0])
  })
})

const word = fc.constantFrom('', 'a', 'b')
const map = fc.dictionary(fc.constantFrom('k', 'l', '__proto__', 'constructor'), word, {
  maxKeys: 3,
})
const machine = fc.record(
  {
    token: word,
    sysctls: map,
    nodeLabels: map,
    install: fc.record({ disk: word, wipe: fc.boolean() }, { requiredKeys: [] }),
    ca: fc.record({ crt: fc.constantFrom('YQ==', ''), key: fc.constantFrom('Yg==', '') }),
    kubelet: fc.record({ image: word, extraArgs: map, extraConfig: map }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
)
const plain = fc.record({ machine })
const listed = fc.record({
  machine: fc.record({ certSANs: fc.array(word, { maxLength: 2 }), token: word }),
})
const patchOf = (value: unknown) => loadPatch({ name: 'p', value })
const text = (value: unknown): string => JSON.stringify(value)

describe('for any patches', () => {
  it('the outcome is always the same, and what they are applied to does not change', () => {
    fc.assert(
      fc.property(plain, fc.array(fc.oneof(plain, listed), { maxLength: 3 }), (start, values) => {
        const config = readConfig(text(start))
        const [before, patches] = [writeConfig(config), values.map(patchOf)]
        const once = writeConfig(applyPatches(config, patches))

        expect(writeConfig(applyPatches(config, patches))).toBe(once)
        expect(writeConfig(config)).toBe(before)
        expect(patchText(before, patches.length ? patches : [patchOf({ machine: {} })])).toBe(once)
      }),
    )
  })

  it('one that appends to no list does nothing the second time', () => {
    fc.assert(
      fc.property(plain, plain, (start, value) => {
        const patch = patchOf(value)
        const once = applyPatches(text(start), [patch])

        expect(writeConfig(applyPatches(once, [patch]))).toBe(writeConfig(once))
      }),
    )
  })

  it('those for different fields may come in any order', () => {
    const network = fc.record({ machine: fc.record({ network: fc.record({ hostname: word }) }) })
    fc.assert(
      fc.property(plain, plain, network, (start, one, other) => {
        const [first, second] = [patchOf(one), patchOf(other)]

        expect(patchText(text(start), [first, second])).toBe(
          patchText(text(start), [second, first]),
        )
      }),
    )
  })

  it('lists grow by what each brings, in order', () => {
    fc.assert(
      fc.property(fc.array(listed, { minLength: 1, maxLength: 4 }), (values) => {
        const { documents } = applyPatches('machine: {}', values.map(patchOf))

        expect(documents[0]?.fields).toMatchObject({
          machine: { certSANs: values.flatMap((value) => value.machine.certSANs) },
        })
      }),
    )
  })
})
