import { expect, test } from 'vitest'
import { documentPaths } from './document-paths.cases.ts'
import { legacyPaths } from './legacy-paths.cases.ts'
import type { Field, Shape, Struct } from './shape.ts'
import { documentKind, documentKinds } from './shapes.ts'

const LEGACY = legacyPaths.trim()
const DOCUMENTS = documentPaths.trim().slice(2).split('\n# ').map(sectionOf)

function sectionOf(text: string) {
  const [heading = '', ...lines] = text.split('\n')
  const [kind = '', since, named] = heading.split(' ')
  return { kind, since: Number(since), named: named === 'named', paths: lines.join('\n') }
}

/** `place: field=type …` as `[place, field=type …]`, whatever the line breaks. */
function groupsOf(text: string): [string, string[]][] {
  const groups: [string, string[]][] = []
  for (const word of text.split(/\s+/)) {
    if (word.endsWith(':')) groups.push([word.slice(0, -1), []])
    else groups.at(-1)?.[1].push(word)
  }
  return groups
}

function inside(shape: Shape): Struct {
  if (shape.is === 'pointer') return inside(shape.to)
  if (shape.is === 'list' || shape.is === 'map') return inside(shape.of)
  if (shape.is !== 'struct') throw new Error(`${shape.name} has no fields`)
  return shape
}

function structAt(kind: string, place: string): Struct {
  const root = inside(documentKind(kind)?.shape ?? { is: 'free', name: `no ${kind}` })
  const words = place === '' ? [] : place.split('.')
  return words.reduce((struct, word) => inside(fieldIn(struct, word).shape), root)
}

function fieldIn(struct: Struct, name: string): Field {
  const field = struct.fields.get(name)
  if (!field) throw new Error(`${struct.name} has no ${name}`)
  return field
}

const fieldAt = (kind: string, path: string): Field =>
  fieldIn(structAt(kind, path.split('.').slice(0, -1).join('.')), path.split('.').at(-1) ?? '')

function typeText(shape: Shape): string {
  if (shape.is === 'pointer') return `*${typeText(shape.to)}`
  if (shape.is === 'list') return `[]${typeText(shape.of)}`
  if (shape.is === 'map') return `map:${typeText(shape.of)}`
  if (shape.is !== 'leaf') return shape.is === 'free' ? 'any' : '{}'
  if (shape.type.reads !== 'integer') return shape.type.reads
  return `${shape.type.signed ? 'int' : 'uint'}${shape.type.bits}`
}

/** The named fields of a struct as the list of paths writes them. */
function fieldsAt(kind: string, place: string, names: readonly string[]): string[] {
  const { fields } = structAt(kind, place)
  return names.flatMap((name) => {
    const field = fields.get(name)
    return field ? `${name}=${typeText(field.shape)}` : []
  })
}

const nameOf = (word: string): string => word.slice(0, word.indexOf('='))

test.each(groupsOf(LEGACY))(
  'the legacy document has the fields of its reference at "%s"',
  (at, all) => {
    expect(fieldsAt('', at, all.map(nameOf))).toEqual(all)
  },
)

test.each(DOCUMENTS)('$kind is as its reference says', ({ kind, since, named, paths }) => {
  expect(documentKind(kind)).toMatchObject({ kind, since, named })
  for (const [at, all] of groupsOf(paths)) {
    expect(fieldsAt(kind, at, all.map(nameOf)), at).toEqual(all)
  }
})

test('every kind is one of the reference, and has its apiVersion and kind in front', () => {
  const kinds = documentKinds().map(({ kind }) => kind)

  expect(kinds).toEqual(['', ...DOCUMENTS.map(({ kind }) => kind)].sort())
  for (const { kind, shape, named } of documentKinds().slice(1)) {
    const wanted = ['apiVersion', 'kind', ...(named ? ['name'] : [])]
    expect([...shape.fields.keys()].slice(0, wanted.length), kind).toEqual(wanted)
  }
})

test('a kind that no version has is not there', () => {
  expect(documentKind('NodeConfig')).toBeUndefined()
  expect(documentKind('v1alpha1')).toBeUndefined()
  expect(documentKind('__proto__')).toBeUndefined()
})

test('a kind is loaded once', () => {
  expect(documentKind('VolumeConfig')).toBe(documentKind('VolumeConfig'))
  expect(structAt('VolumeConfig', 'provisioning')).toBe(structAt('RawVolumeConfig', 'provisioning'))
})

const SINCE: [number, string, string[]][] = [
  [5, 'machine', ['type', 'token', 'ca', 'install', 'sysctls', 'nodeLabels']],
  [6, 'machine', ['nodeTaints', 'kubelet.credentialProviderConfig']],
  [6, 'cluster', ['scheduler.config', 'network.cni.flannel']],
  [7, 'machine', ['acceptedCAs', 'features.hostDNS', 'features.hostDNS.enabled']],
  [7, 'machine', ['network.interfaces.deviceSelector.physical', 'logging.destinations.extraTags']],
  [7, 'cluster', ['acceptedCAs']],
  [8, 'machine', ['nodeAnnotations', 'network.interfaces.bridge.vlan.vlanFiltering']],
  [9, 'machine', ['baseRuntimeSpecOverrides', 'network.searchDomains', 'features.imageCache']],
  [9, 'machine', ['network.interfaces.bridgePort', 'registries.mirrors.skipFallback']],
  [9, 'machine', ['features.nodeAddressSortAlgorithm']],
  [9, 'machine', ['network.interfaces.deviceSelector.permanentAddr']],
  [9, 'cluster', ['apiServer.authorizationConfig']],
  [12, 'machine', ['install.grubUseUKICmdline']],
  [12, 'machine', ['network.kubespan.filters.excludeAdvertisedNetworks']],
  [13, 'cluster', ['network.cni.flannel.kubeNetworkPoliciesEnabled']],
]

test.each(SINCE)('v1.%i brought to %s: %j', (since, part, paths) => {
  expect(paths.map((path) => fieldAt('', `${part}.${path}`).since)).toEqual(paths.map(() => since))
})

test('a field of a kind may be newer than the kind, and older than the type that it has', () => {
  expect(fieldAt('VolumeConfig', 'encryption').since).toBe(11)
  expect(fieldAt('UserVolumeConfig', 'volumeType').since).toBe(12)
  expect(fieldAt('ExistingVolumeConfig', 'mount.readOnly').since).toBe(11)
  expect(fieldAt('ExistingVolumeConfig', 'mount.secure').since).toBe(13)
  expect(fieldAt('DHCPv4Config', 'ignoreRoutes').since).toBe(14)
  expect(fieldAt('OOMConfig', 'strictCgroupClassOrdering').since).toBe(14)
})

test.each([
  'machine.kubelet',
  'cluster.apiServer',
  'cluster.controllerManager',
  'cluster.proxy',
  'cluster.scheduler',
  'cluster.etcd',
])('lists as values of the extraArgs of %s came with v1.13', (part) => {
  const { shape, before } = fieldAt('', `${part}.extraArgs`)

  expect(shape).toMatchObject({ is: 'map', name: 'v1alpha1.Args' })
  expect(before?.until).toBe(12)
  expect(before && typeText(before.shape)).toBe('map:string')
})

test('a maximal size in percent came with v1.12', () => {
  const { shape, before } = fieldAt('UserVolumeConfig', 'provisioning.maxSize')

  expect([typeText(shape), before?.until, before && typeText(before.shape)]).toEqual([
    'size',
    11,
    'byte-size',
  ])
})

test('fields come in the order in which Talos writes them', () => {
  expect([...structAt('', '').fields.keys()]).toEqual([
    'version',
    'debug',
    'persist',
    'machine',
    'cluster',
  ])
  expect([...structAt('', 'machine.install').fields.keys()].join(' ')).toBe(
    'disk diskSelector extraKernelArgs image extensions bootloader wipe legacyBIOSSupport grubUseUKICmdline',
  )
  expect([...structAt('', 'cluster').fields.keys()].slice(0, 7).join(' ')).toBe(
    'id secret controlPlane clusterName network token aescbcEncryptionSecret',
  )
  expect([...structAt('BridgeConfig', '').fields.keys()].join(' ')).toBe(
    'apiVersion kind name hardwareAddr links stp vlan up mtu addresses routes multicast',
  )
  expect([...structAt('ResolverConfig', 'nameservers').fields.keys()].join(' ')).toBe(
    'address protocol tlsServerName',
  )
})

test.each([
  ['never', 'machine.certSANs'],
  ['never', 'machine.install.wipe'],
  ['never', 'machine.ca.key'],
  ['never', 'cluster.network.podSubnets'],
  ['never', 'cluster.discovery.registries.service'],
  ['nil', 'cluster.extraManifests'],
  ['nil', 'cluster.inlineManifests'],
  ['nil', 'machine.seccompProfiles'],
  ['empty', 'machine.registries'],
  ['empty', 'machine.network'],
  ['empty', 'cluster.apiServer.certSANs'],
  ['empty', 'machine.kubelet.extraArgs'],
])('what is omitted when %s: %s', (omit, path) => {
  expect(fieldAt('', path).omit).toBe(omit)
})

test('patches replace what Talos says, and nothing else', () => {
  const found = documentKinds().flatMap(({ kind, shape }) => replacedIn(shape, kind, new Set()))

  expect(found.sort()).toEqual([
    '.cluster.apiServer.auditPolicy',
    '.cluster.network.podSubnets',
    '.cluster.network.serviceSubnets',
    'BGPInstanceConfig.advertise',
    'BGPInstanceConfig.importRoutes',
    'BGPInstanceConfig.neighbors',
    'CRIBaseRuntimeSpecConfig.overrides',
    'KubeAuditPolicyConfig.configuration',
    'KubeAuthenticationConfig.configuration',
    'KubeCredentialProviderConfig.configuration',
    'KubeNetworkConfig.podSubnets',
    'KubeNetworkConfig.serviceSubnets',
    'KubeStaticPodConfig.pod',
    'NetworkRuleConfig.ingress',
    'NetworkRuleConfig.portSelector.ports',
  ])
})

function replacedIn(shape: Shape, at: string, seen: Set<Shape>): string[] {
  if (shape.is === 'pointer') return replacedIn(shape.to, at, seen)
  if (shape.is === 'list' || shape.is === 'map') return replacedIn(shape.of, at, seen)
  if (shape.is !== 'struct' || seen.has(shape)) return []
  seen.add(shape)
  return [...shape.fields.values()].flatMap(({ name, shape: inner, replaced }) => [
    ...(replaced ? [`${at}.${name}`] : []),
    ...replacedIn(inner, `${at}.${name}`, seen),
  ])
}

test.each([
  ['', 'machine.network.interfaces', 'v1alpha1.NetworkDeviceList'],
  ['', 'machine.network.interfaces.vlans', 'v1alpha1.VlanList'],
  ['', 'cluster.apiServer.admissionControl', 'v1alpha1.AdmissionPluginConfigList'],
  ['ExtensionServiceConfig', 'configFiles', 'extensions.ConfigFileList'],
  ['ImageVerificationConfig', 'rules', 'security.ImageVerificationRules'],
  ['', 'cluster.inlineManifests', 'v1alpha1.ClusterInlineManifests'],
])('a list with rules of its own keeps its name: %s %s', (kind, path, name) => {
  expect(fieldAt(kind, path).shape).toMatchObject({ is: 'list', name })
})

test('an enumeration has its words in order, each with the version that brought it', () => {
  const words = (kind: string, path: string) => {
    const { shape } = fieldAt(kind, path)
    const leaf = shape.is === 'pointer' ? shape.to : shape
    return leaf.is === 'leaf' && leaf.type.reads === 'enum' ? [...leaf.type.values] : []
  }

  expect(words('VLANConfig', 'vlanMode')).toEqual([
    ['802.1q', 5],
    ['802.1ad', 5],
  ])
  expect(words('UserVolumeConfig', 'filesystem.type').map(([word]) => word)).toEqual(
    'none xfs vfat ext4 iso9660 swapi virtiofs btrfs'.split(' '),
  )
  expect(words('UserVolumeConfig', 'filesystem.type').at(-1)).toEqual(['btrfs', 14])
  expect(words('HostnameConfig', 'auto').map(([word]) => word)).toEqual([
    'off',
    'talos-addr',
    'stable',
  ])
  expect(words('NetworkRuleConfig', 'portSelector.protocol').map(([word]) => word)).toEqual(
    'icmp tcp udp icmpv6'.split(' '),
  )
  expect(words('LinkConfig', 'routes.table')).toHaveLength(256)
})

test.each([
  ['NetworkDefaultActionConfig', 'ingress', 'accept'],
  ['LinkConfig', 'routes.table', 'unspec'],
  ['RoutingRuleConfig', 'action', 'unspec'],
  ['NetworkRuleConfig', 'portSelector.protocol', 'Protocol(0)'],
  ['UserVolumeConfig', 'encryption.provider', 'none'],
])('of %s, a %s that was never set is written %s', (kind, path, zero) => {
  expect(fieldAt(kind, path).shape).toMatchObject({ type: { reads: 'enum', zero } })
})

test('types are named as Talos names them', () => {
  expect(structAt('', 'machine.network.interfaces').name).toBe('v1alpha1.Device')
  expect(fieldAt('', 'machine.install.diskSelector.type').shape).toMatchObject({
    is: 'leaf',
    name: 'v1alpha1.InstallDiskType',
    type: { reads: 'string' },
  })
  expect(fieldAt('', 'machine.kubelet.extraConfig').shape).toEqual({
    is: 'free',
    name: 'v1alpha1.Unstructured',
  })
})
