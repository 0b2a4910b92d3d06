import { type PatchCase, patching } from './patch-case.ts'

const legacy = 'version: v1alpha1\nmachine: {type: worker}\n'
const hostname = 'apiVersion: v1alpha1\nkind: HostnameConfig\nauto: stable\n'
const mirror = (name: string, url: string): string =>
  `apiVersion: v1alpha1\nkind: RegistryMirrorConfig\nname: ${name}\nendpoints: [{url: "${url}"}]\n`
const both = `${legacy}---\n${hostname}`
const named = (kind: string, name: string): string =>
  `apiVersion: v1alpha1\nkind: ${kind}\nname: ${name}\n`

/** Which document a patch is for, and how a patch is told from another. */
export const documentCases: readonly PatchCase[] = [
  patching('a document that is not there is appended', legacy, hostname),
  patching(
    'a document is found by its kind',
    both,
    'apiVersion: v1alpha1\nkind: HostnameConfig\nhostname: a\n',
  ),
  patching(
    'a document is found by its name',
    `${mirror('a.io', 'https://x')}---\n${mirror('b.io', 'https://y')}`,
    mirror('b.io', 'https://z'),
  ),
  patching(
    'another name is another document',
    mirror('a.io', 'https://x'),
    mirror('b.io', 'https://z'),
  ),
  patching(
    'a patch of several documents does several things',
    both,
    `machine: {token: a}\n---\n${mirror('a.io', 'https://x')}---\napiVersion: v1alpha1\nkind: HostnameConfig\nhostname: a\n`,
  ),
  patching(
    'the legacy document of a patch may come last',
    both,
    `${mirror('a.io', 'https://x')}---\nmachine: {token: a}\n`,
  ),
  patching(
    'the legacy document is written first',
    `${hostname}---\n${legacy}`,
    'machine: {token: a}',
  ),
  patching('a legacy document is added to others', hostname, legacy),
  patching(
    'documents added by one patch are found by the next',
    legacy,
    mirror('a.io', 'https://x'),
    mirror('a.io', 'https://y'),
  ),
  patching(
    'patches come one after another',
    legacy,
    'machine: {token: a}',
    'machine: {token: b, certSANs: [x]}',
    'machine: {certSANs: [y]}',
  ),
  patching(
    'the same patch twice appends twice',
    legacy,
    'machine: {certSANs: [x]}',
    'machine: {certSANs: [x]}',
  ),
  patching(
    'the version is optional in a patch',
    legacy,
    'version: v1alpha1\nmachine: {token: a}\n',
  ),
  patching('a document twice in a patch is refused', legacy, `${hostname}---\n${hostname}`),
  patching('the legacy document twice in a patch is refused', legacy, `${legacy}---\n${legacy}`),
  patching(
    'documents that shut one another out are refused',
    named('LinkConfig', 'eth0'),
    `${named('BondConfig', 'eth0')}links: [eth1]\n`,
  ),
  patching(
    'those of other names do not',
    named('LinkConfig', 'eth0'),
    `${named('BondConfig', 'bond0')}links: [eth1]\n`,
  ),
  patching(
    'volumes of one name shut one another out',
    `${named('UserVolumeConfig', 'v')}provisioning: {minSize: 1GB}\n`,
    `${named('ExistingVolumeConfig', 'v')}discovery: {volumeSelector: {match: "true"}}\n`,
  ),
  patching('an unknown kind is refused', legacy, 'apiVersion: v1alpha1\nkind: NoSuchConfig\n'),
  patching('an unknown key is refused', legacy, 'machine: {foo: bar}'),
  patching('a wrong type is refused', legacy, 'machine: {certSANs: {a: b}}'),
  patching('a document without kind is refused', legacy, 'apiVersion: v1alpha2\nfoo: bar\n'),
  patching('a bad configuration is refused', 'machine: {foo: bar}', 'machine: {token: a}'),
  patching('a configuration that is none is refused', 'just a text', 'machine: {token: a}'),
  patching('an empty configuration is refused', '# nothing\n', 'machine: {token: a}'),
  patching('a patch that says only its version is none', legacy, 'version: v1alpha1\n'),
  patching('an empty object is no patch', legacy, '{}'),
  patching('a text is no patch', legacy, 'hello'),
  patching('comments are a JSON patch that does nothing', legacy, '# nothing\n'),
  patching('and that is refused for several documents', both, '# nothing\n'),
  patching(
    'empty documents around a patch do not matter',
    legacy,
    '---\n---\nmachine: {token: a}\n---\n',
  ),
  patching('a patch may be JSON', legacy, '{"machine": {"token": "a", "certSANs": ["x"]}}'),
  patching(
    'anchors and aliases are unfolded',
    legacy,
    'machine:\n  sysctls: &s {a: "1"}\n  nodeLabels: *s\n',
  ),
  patching(
    'a document is patched field by field',
    `${named('UserVolumeConfig', 'v')}provisioning: {minSize: 1GB, diskSelector: {match: "true"}}\nfilesystem: {type: xfs}\n`,
    `${named('UserVolumeConfig', 'v')}filesystem: {projectQuotaSupport: true}\n`,
  ),
  patching(
    'kubespan is patched',
    'apiVersion: v1alpha1\nkind: KubeSpanConfig\nenabled: true\nmtu: 1400\nfilters: {endpoints: [a]}\n',
    'apiVersion: v1alpha1\nkind: KubeSpanConfig\nadvertiseKubernetesNetworks: true\nfilters: {endpoints: [b]}\n',
  ),
  patching(
    'trusted roots are replaced',
    `${named('TrustedRootsConfig', 't')}certificates: a\n`,
    `${named('TrustedRootsConfig', 't')}certificates: |\n  b\n  c\n`,
  ),
  patching(
    'static hosts are merged',
    `${named('StaticHostConfig', '1.1.1.1')}hostnames: [a]\n`,
    `${named('StaticHostConfig', '1.1.1.1')}hostnames: [b]\n`,
  ),
  patching(
    'events sinks are replaced',
    'apiVersion: v1alpha1\nkind: EventSinkConfig\nendpoint: a:1\n',
    'apiVersion: v1alpha1\nkind: EventSinkConfig\nendpoint: b:2\n',
  ),
  patching(
    'the environment is merged',
    'apiVersion: v1alpha1\nkind: EnvironmentConfig\nvariables: {A: "1"}\n',
    'apiVersion: v1alpha1\nkind: EnvironmentConfig\nvariables: {B: "2"}\n',
  ),
]
