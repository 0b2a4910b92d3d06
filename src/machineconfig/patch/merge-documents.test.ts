import { describe, expect, it } from 'vitest'
import { patchedFields } from './patched.cases.ts'

const host = 'apiVersion: v1alpha1\nkind: HostnameConfig\n'
const mirror = (name: string): string =>
  `apiVersion: v1alpha1\nkind: RegistryMirrorConfig\nname: ${name}\n`
const kinds = (base: string, ...patches: string[]): unknown[] =>
  patchedFields(base, ...patches).map(({ kind = '', name = '' }) => `${kind}${name}`)
const gone = '{$patch: delete}'
const base = `machine:
  token: a
  sysctls: {x: "1", y: "2"}
  ca: {crt: YQ==, key: Yg==}
  kubelet: {extraConfig: {a: {b: 1, c: 2}, l: [{n: x}]}}
  files: [{path: /a, permissions: 0o644}, {path: /b, permissions: 0o600}]
  network: {interfaces: [{interface: a, mtu: 1}, null, {interface: b, dhcp: true}, {mtu: 5}]}
`
const machine = (patch: string): unknown => patchedFields(base, `machine: ${patch}`)[0]?.machine
const lookup = (path: string, why = 'lookup failed'): string =>
  `patch 0: patch delete: path '${path}' in document '/v1alpha1': failed to delete path '${path}': ${why}`

describe('a patch finds its documents', () => {
  it('by kind and name, and appends those that it does not find', () => {
    expect(patchedFields(`${host}auto: stable\n`, `${host}hostname: a\n`)).toMatchObject([
      { auto: 'stable', hostname: 'a' },
    ])
    expect(kinds(mirror('a'), mirror('b'), mirror('b'))).toEqual([
      'RegistryMirrorConfiga',
      'RegistryMirrorConfigb',
    ])
  })

  it('with the legacy one first', () => {
    expect(kinds(`${host}---\nmachine: {}\n`, 'machine: {token: a}')).toEqual([
      '',
      'HostnameConfig',
    ])
    expect(kinds(host, 'machine: {token: a}')).toEqual(['', 'HostnameConfig'])
  })

  it('and refuses what shuts one another out', () => {
    expect(() =>
      kinds(
        'apiVersion: v1alpha1\nkind: LinkConfig\nname: a\n',
        'apiVersion: v1alpha1\nkind: VRFConfig\nname: a\n',
      ),
    ).toThrow('patch 0: conflicting documents: LinkConfig/a and VRFConfig/a')
  })
})

describe('$patch: delete', () => {
  it.each([
    [`{sysctls: {x: ${gone}}}`, { sysctls: { y: '2' } }],
    [`{sysctls: {x: ${gone}, z: "3"}}`, { sysctls: { y: '2', z: '3' } }],
    [`{kubelet: {image: ${gone}}}`, {}],
    [`{kubelet: {extraConfig: {a: {b: ${gone}}}}}`, { kubelet: { extraConfig: { a: { c: 2 } } } }],
    ['{files: [{path: /b, $patch: delete}]}', { files: [{ path: '/a' }] }],
    ['{files: [{permissions: 0o600, $patch: delete}]}', { files: [{ path: '/a' }] }],
    [
      '{network: {interfaces: [{interface: a, $patch: delete}]}}',
      { network: { interfaces: [null, { interface: 'b' }, { mtu: 5 }] } },
    ],
    [
      '{network: {interfaces: [{interface: "", $patch: delete}]}}',
      { network: { interfaces: [{ interface: 'a' }, null, { interface: 'b' }] } },
    ],
  ])('%s', (patch, result) => {
    expect(machine(patch)).toMatchObject(result)
  })

  it.each([
    [`{foo: ${gone}}`, lookup('machine.foo')],
    [`{sysctls: {z: ${gone}}}`, lookup('machine.sysctls.z')],
    [`{sysfs: {z: ${gone}}}`, lookup('machine.sysfs.z')],
    [`{token: {z: ${gone}}}`, lookup('machine.token.z')],
    [`{time: {servers: ${gone}}}`, lookup('machine.time.servers')],
    [`{ca: {key: ${gone}}}`, lookup('machine.ca.key')],
    [
      `{kubelet: {extraConfig: {a: {b: {c: ${gone}}}}}}`,
      lookup('machine.kubelet.extraConfig.a.b.c'),
    ],
    [
      '{kubelet: {extraConfig: {l: [{n: x, $patch: delete}]}}}',
      lookup('machine.kubelet.extraConfig.l.[0]'),
    ],
    [
      `{kubelet: {extraConfig: {l: {n: ${gone}}}}}`,
      lookup(
        'machine.kubelet.extraConfig.l.n',
        'searching for non-integer keys in slices is not supported',
      ),
    ],
    ['{pods: [{n: x, $patch: delete}]}', lookup('machine.pods.[0]')],
    ['{files: [{path: /z, $patch: delete}]}', lookup('machine.files.[0]')],
    ['{files: [{foo: /z, $patch: delete}]}', lookup('machine.files.[0]')],
    [
      '{network: {interfaces: [{mtu: 1, $patch: delete}]}}',
      lookup('machine.network.interfaces.[0]'),
    ],
    [
      '{network: {interfaces: [{dhcp: true, $patch: delete}]}}',
      lookup('machine.network.interfaces.[0]'),
    ],
    [
      '{network: {interfaces: [{interface: a, vlans: [{vlanId: 1, $patch: delete}]}]}}',
      lookup(
        'machine.network.interfaces.[0].vlans.[0]',
        'searching for complex paths in slices is not supported',
      ),
    ],
    [
      `{files: {path: ${gone}}}`,
      lookup('machine.files.path', 'searching for non-integer keys in slices is not supported'),
    ],
    [
      `{files: {"": ${gone}}}`,
      lookup('machine.files.', "searching for '' in a slice is not supported"),
    ],
  ])('%s is refused', (patch, why) => {
    expect(() => machine(patch)).toThrow(why)
  })

  it('takes fields away', () => {
    expect(machine(`{token: ${gone}}`)).not.toHaveProperty('token')
    expect(machine(`{sysctls: ${gone}}`)).not.toHaveProperty('sysctls')
  })

  it('takes a document away', () => {
    expect(kinds(`${base}---\n${host}---\n${mirror('a')}`, `${host}$patch: delete\n`)).toEqual([
      '',
      'RegistryMirrorConfiga',
    ])
    expect(kinds(`${base}---\n${mirror('a')}`, `${mirror('a')}$patch: delete\n`)).toEqual([''])
  })

  it('works in the order in which it is written', () => {
    const both = `${base}---\n${host}auto: stable\n`

    expect(
      patchedFields(both, `${host}$patch: delete\n---\n${host}hostname: a\n`)[1],
    ).not.toHaveProperty('auto')
    expect(kinds(both, `${host}hostname: a\n---\n${host}$patch: delete\n`)).toEqual([''])
  })

  it('does not find an item by a boolean', () => {
    const volumes = (items: string): string => `cluster: {apiServer: {extraVolumes: [${items}]}}`

    expect(() =>
      patchedFields(
        volumes('{hostPath: /a, readonly: true}'),
        volumes('{readonly: true, $patch: delete}'),
      ),
    ).toThrow('lookup failed')
  })

  it('may not leave nothing', () => {
    expect(() => kinds(host, `${host}$patch: delete\n`)).toThrow('config not found')
  })

  it('fails for a document that is not there', () => {
    expect(() => kinds(base, `${host}$patch: delete\n`)).toThrow(
      "patch 0: patch delete: path '' in document 'v1alpha1/HostnameConfig': lookup failed",
    )
    expect(() => kinds(base, `${mirror('a')}$patch: delete\n`)).toThrow(
      'patch 0: named patch delete: document v1alpha1/RegistryMirrorConfig: lookup failed',
    )
    expect(() => kinds(mirror('a'), `${mirror('a')}foo: ${gone}\n`)).toThrow(
      "named patch delete: document v1alpha1/RegistryMirrorConfig: failed to delete path 'foo': lookup failed",
    )
  })

  it('changes nothing but the item of the document that it names', () => {
    const rule = 'apiVersion: v1alpha1\nkind: NetworkRuleConfig\nname: r\n'

    expect(
      patchedFields(
        `${rule}ingress: [{subnet: 10.0.0.0/8}, {subnet: 10.1.0.0/16}]\n`,
        `${rule}ingress: [{subnet: 10.1.0.0/16, $patch: delete}]\n`,
      ),
    ).toMatchObject([{ ingress: [{ subnet: '10.0.0.0/8' }] }])
  })
})
