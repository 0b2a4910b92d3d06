import type { CombinedCase } from './validate-documents-case.ts'

const luks = { provider: 'luks2', keys: [{ slot: 0, nodeID: {} }] }
const legacyEncryption = { provider: 'luks2', keys: [{ slot: 0, nodeID: {} }] }

/** What documents say together, and what the legacy one says already. */
export const combinedCases: readonly CombinedCase[] = [
  {
    name: 'errors of several documents and warnings in between',
    documents: [
      ['BondConfig', { name: 'bond0', bondMode: '802.3ad' }],
      ['HostnameConfig', {}],
      ['ZswapConfig', { maxPoolPercent: 200 }],
    ],
    legacy: { persist: false },
  },
  {
    name: 'two links of one name',
    documents: [
      ['LinkConfig', { name: 'a' }],
      ['BondConfig', { name: 'a', links: ['b'], bondMode: 'active-backup' }],
    ],
  },
  {
    name: 'two links of different names',
    documents: [
      ['LinkConfig', { name: 'a' }],
      ['DummyLinkConfig', { name: 'b' }],
    ],
  },
  {
    name: 'the same address twice',
    documents: [
      ['HCloudVIPConfig', { name: '10.0.0.1', link: 'a', apiToken: 'throw-away' }],
      ['Layer2VIPConfig', { name: '10.0.0.1', link: 'a' }],
    ],
  },
  {
    name: 'a user volume that exists',
    documents: [
      ['ExistingVolumeConfig', { name: 'a' }],
      ['UserVolumeConfig', { name: 'a' }],
    ],
  },
  {
    name: 'a hostname that the legacy document has',
    documents: [['HostnameConfig', { hostname: 'a' }]],
    legacy: { 'machine.network.hostname': 'b', 'machine.features.stableHostname': true },
  },
  {
    name: 'a stable hostname in both',
    documents: [['HostnameConfig', { auto: 'stable' }]],
    legacy: { 'machine.features.stableHostname': true },
  },
  {
    name: 'a hostname, and the stable one switched off',
    documents: [['HostnameConfig', { auto: 'stable' }]],
    legacy: { 'machine.features.stableHostname': false },
  },
  ...[
    { 'machine.network.searchDomains': ['a.example'], 'machine.network.nameservers': ['1.1.1.1'] },
    { 'machine.network.searchDomains': [] },
    { 'machine.network.nameservers': ['1.1.1.1'], 'machine.network.disableSearchDomain': true },
    { 'machine.network.nameservers': [] },
    { 'machine.network.disableSearchDomain': true },
    { 'machine.network.disableSearchDomain': false },
  ].map((legacy) => ({
    name: `resolvers, and ${JSON.stringify(legacy)}`,
    documents: [['ResolverConfig', {}] as const],
    legacy,
  })),
  ...[
    { disabled: true, servers: ['a'], bootTimeout: '1m' },
    { servers: ['a'], bootTimeout: '1m' },
    { bootTimeout: '1m' },
    { disabled: false, servers: [] },
  ].map((time) => ({
    name: `time, and ${JSON.stringify(time)}`,
    documents: [['TimeSyncConfig', {}] as const],
    legacy: { 'machine.time': time },
  })),
  {
    name: 'KubeSpan in both',
    documents: [['KubeSpanConfig', { enabled: true }]],
    legacy: { 'machine.network.kubespan': {} },
  },
  ...(['STATE', 'EPHEMERAL', 'IMAGECACHE'] as const).flatMap((name) =>
    [luks, { cipher: 'aes' }].map((encryption) => ({
      name: `encryption of ${name} with ${JSON.stringify(encryption)}`,
      documents: [['VolumeConfig', { name, encryption }] as const],
      legacy: {
        'machine.systemDiskEncryption': { state: legacyEncryption, ephemeral: legacyEncryption },
      },
    })),
  ),
  {
    name: 'a conflict beside errors',
    documents: [
      ['KubeSpanConfig', { mtu: 3 }],
      ['ZswapConfig', { maxPoolPercent: 200 }],
    ],
    legacy: { 'machine.network.kubespan': {}, 'cluster.controlPlane': { endpoint: 'a:80' } },
  },
]
