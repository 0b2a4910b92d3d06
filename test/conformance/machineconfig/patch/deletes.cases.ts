import { type PatchCase, patching } from './patch-case.ts'

const base = `version: v1alpha1
machine:
  type: worker
  token: abc
  certSANs: [a, b]
  sysctls: {x: "1", y: "2"}
  kubelet:
    image: k
    extraConfig: {a: {b: 1, c: 2}, l: [{n: x}]}
    extraMounts: [{destination: /a, source: /a, type: bind}, {destination: /b, source: /b, type: bind}]
  network:
    hostname: h
    interfaces:
      - {interface: eth0, dhcp: true, vlans: [{vlanId: 5}]}
      - {interface: eth1, mtu: 1400}
      - {interface: eth1, mtu: 1500}
      - {mtu: 1600}
  registries:
    mirrors: {a.io: {endpoints: [x], skipFallback: true}}
  ca: {crt: YQ==, key: Yg==}
`
const others = `${base}---
apiVersion: v1alpha1
kind: HostnameConfig
auto: stable
---
apiVersion: v1alpha1
kind: RegistryMirrorConfig
name: a.io
endpoints: [{url: "https://x"}, {url: "https://y"}]
---
apiVersion: v1alpha1
kind: NetworkRuleConfig
name: r
portSelector: {ports: [80], protocol: tcp}
ingress: [{subnet: 10.0.0.0/8}, {subnet: 10.1.0.0/16}]
`
const mirror = 'apiVersion: v1alpha1\nkind: RegistryMirrorConfig\nname: a.io\n'
const host = 'apiVersion: v1alpha1\nkind: HostnameConfig\n'
const gone = '{$patch: delete}'

/** What `$patch: delete` does. */
export const deleteCases: readonly PatchCase[] = [
  patching('an object is deleted', base, `machine: {network: ${gone}}`),
  patching('a map is deleted', base, `machine: {sysctls: ${gone}}`),
  patching('a key of a map is deleted', base, `machine: {sysctls: {x: ${gone}}}`),
  patching(
    'the last key of a map is deleted',
    'machine: {sysctls: {x: "1"}}',
    `machine: {sysctls: {x: ${gone}}}`,
  ),
  patching('a list is deleted', base, `machine: {certSANs: ${gone}}`),
  patching('a text is deleted', base, `machine: {token: ${gone}}`),
  patching('the whole of machine is deleted', base, `machine: ${gone}`),
  patching(
    'a field that is known but unset is deleted in silence',
    base,
    `machine: {kubelet: {clusterDNS: ${gone}}}`,
  ),
  patching(
    'a field whose parent is unset is not found',
    base,
    `cluster: {network: {cni: ${gone}}}`,
  ),
  patching('a key that a map does not have is not found', base, `machine: {sysctls: {z: ${gone}}}`),
  patching('a key of a map that is unset is not found', base, `machine: {sysfs: {z: ${gone}}}`),
  patching('an unknown field is not found', base, `machine: {foo: ${gone}}`),
  patching('nothing is found below a text', base, `machine: {token: {a: ${gone}}}`),
  patching(
    'an object in a map is deleted',
    base,
    `machine: {registries: {mirrors: {a.io: ${gone}}}}`,
  ),
  patching(
    'a field of an object in a map is deleted',
    base,
    `machine: {registries: {mirrors: {a.io: {skipFallback: ${gone}}}}}`,
  ),
  patching('a key of a certificate is deleted', base, `machine: {ca: {key: ${gone}}}`),
  patching('a certificate is deleted', base, `machine: {ca: ${gone}}`),
  patching(
    'a key of a free object is deleted',
    base,
    `machine: {kubelet: {extraConfig: {a: ${gone}}}}`,
  ),
  patching(
    'a key deep in a free object is deleted',
    base,
    `machine: {kubelet: {extraConfig: {a: {b: ${gone}}}}}`,
  ),
  patching(
    'a key that a free object does not have is not found',
    base,
    `machine: {kubelet: {extraConfig: {a: {z: ${gone}}}}}`,
  ),
  patching(
    'items of lists in free objects are not found',
    base,
    'machine: {kubelet: {extraConfig: {l: [{n: x, $patch: delete}]}}}',
  ),
  patching(
    'nothing is found below a number in a free object',
    base,
    `machine: {kubelet: {extraConfig: {a: {b: {c: ${gone}}}}}}`,
  ),
  patching('a free object is deleted', base, `machine: {kubelet: {extraConfig: ${gone}}}`),
  patching(
    'an item of a list is deleted',
    base,
    'machine: {network: {interfaces: [{interface: eth0, $patch: delete}]}}',
  ),
  patching(
    'the first of equal items is deleted',
    base,
    'machine: {network: {interfaces: [{$patch: delete, interface: eth1}]}}',
  ),
  patching(
    'two items of a list are deleted',
    base,
    'machine: {network: {interfaces: [{interface: eth0, $patch: delete}, {interface: eth1, $patch: delete}]}}',
  ),
  patching(
    'an item is deleted and another merged',
    base,
    'machine: {network: {interfaces: [{interface: eth0, $patch: delete}, {interface: eth1, dhcp: true}]}}',
  ),
  patching(
    'an item is found by its first key alone',
    base,
    'machine: {network: {interfaces: [{interface: eth1, mtu: 7, $patch: delete}]}}',
  ),
  patching(
    'an item without the key is found by the empty text',
    base,
    'machine: {network: {interfaces: [{interface: "", $patch: delete}]}}',
  ),
  patching(
    'an item is not found by a number',
    base,
    'machine: {network: {interfaces: [{mtu: 1400, $patch: delete}]}}',
  ),
  patching(
    'an item is not found by a boolean behind a pointer',
    base,
    'machine: {network: {interfaces: [{dhcp: true, $patch: delete}]}}',
  ),
  patching(
    'an item that is not there is not found',
    base,
    'machine: {network: {interfaces: [{interface: eth9, $patch: delete}]}}',
  ),
  patching(
    'an item of a list that is unset is not found',
    base,
    'machine: {files: [{path: /a, $patch: delete}]}',
  ),
  patching(
    'an item is not found by an unknown key',
    base,
    'machine: {network: {interfaces: [{foo: eth9, $patch: delete}]}}',
  ),
  patching(
    'a mount is deleted',
    base,
    'machine: {kubelet: {extraMounts: [{destination: /a, $patch: delete}]}}',
  ),
  patching(
    'the only item of a list is deleted',
    'machine: {kernel: {modules: [{name: a}]}}',
    'machine: {kernel: {modules: [{name: a, $patch: delete}]}}',
  ),
  patching(
    'an item that says nothing is refused',
    base,
    `machine: {network: {interfaces: [${gone}]}}`,
  ),
  patching(
    'a delete within an item is refused',
    base,
    `machine: {network: {interfaces: [{interface: eth0, vlans: ${gone}}]}}`,
  ),
  patching(
    'a delete of an item within an item is refused',
    base,
    'machine: {network: {interfaces: [{interface: eth0, vlans: [{vlanId: 5, $patch: delete}]}]}}',
  ),
  patching(
    'items of a list of texts are not found',
    base,
    'machine: {certSANs: [{a: b, $patch: delete}]}',
  ),
  patching(
    'a list in a free object has no keys',
    base,
    `machine: {kubelet: {extraConfig: {l: {n: ${gone}}}}}`,
  ),
  patching(
    'an item is not found by a boolean',
    'cluster: {apiServer: {extraVolumes: [{hostPath: /a, readonly: true}]}}',
    'cluster: {apiServer: {extraVolumes: [{readonly: true, $patch: delete}]}}',
  ),
  patching(
    'a delete and a change in one document',
    base,
    `machine: {sysctls: {x: ${gone}, z: "3"}, token: new}`,
  ),
  patching(
    'a delete comes before what is merged',
    base,
    `machine: {kubelet: {extraMounts: ${gone}}, token: new}`,
    'machine: {kubelet: {extraMounts: [{destination: /c, source: /c, type: bind}]}}',
  ),
  patching('the root of the legacy document cannot be deleted', base, '$patch: delete\n'),
  patching('nor with a version', base, 'version: v1alpha1\n$patch: delete\n'),
  patching('nor with an apiVersion alone', base, 'apiVersion: v1alpha1\n$patch: delete\n'),
  patching(
    'but it is deleted where both of them are empty',
    base,
    'apiVersion: ""\nkind: ""\n$patch: delete\n',
  ),
  patching(
    'another value of $patch is an unknown key',
    base,
    'machine: {sysctls: {$patch: replace}, network: {$patch: merge}}',
  ),
  patching('a document is deleted', others, `${host}$patch: delete\n`),
  patching('a named document is deleted', others, `${mirror}$patch: delete\n`),
  patching('a field of a document is deleted', others, `${host}auto: ${gone}\n`),
  patching('a field of a named document is deleted', others, `${mirror}endpoints: ${gone}\n`),
  patching(
    'an item of a named document is not found by a URL',
    others,
    `${mirror}endpoints: [{url: "https://x", $patch: delete}]\n`,
  ),
  patching(
    'an item is found by a network',
    others,
    'apiVersion: v1alpha1\nkind: NetworkRuleConfig\nname: r\ningress: [{subnet: 10.1.0.0/16, $patch: delete}]\n',
  ),
  patching('an unknown field of a named document is not found', others, `${mirror}foo: ${gone}\n`),
  patching('an unknown field of a document is not found', others, `${host}foo: ${gone}\n`),
  patching('a kind without apiVersion is refused', others, `kind: HostnameConfig\nauto: ${gone}\n`),
  patching(
    'a named document that is not there crashes talosctl',
    others,
    'apiVersion: v1alpha1\nkind: RegistryMirrorConfig\nname: z.io\n$patch: delete\n',
  ),
  patching(
    'a document is deleted and made again',
    others,
    `${host}$patch: delete\n---\n${host}hostname: new\n`,
  ),
  patching(
    'a document is changed and then deleted',
    others,
    `${host}hostname: new\n---\n${host}$patch: delete\n`,
  ),
  patching(
    'deletes of several documents in one patch',
    others,
    `${host}$patch: delete\n---\n${mirror}$patch: delete\n---\nmachine: {network: ${gone}}\n`,
  ),
]

/** What Talos makes of these cannot be read by anybody: we refuse them. */
export const danglingCases: readonly PatchCase[] = [
  patching('a document that is not there', base, `${host}$patch: delete\n`),
  patching('a field of a document that is not there', base, `${host}auto: ${gone}\n`),
  patching(
    'a named document without its name',
    others,
    'apiVersion: v1alpha1\nkind: RegistryMirrorConfig\n$patch: delete\n',
  ),
]
