import { controlPlane, type LegacyCase, worker } from './validate-legacy-case.ts'

const LONG = 'a'.repeat(64)

const override = (title: string, baseRuntimeSpecOverrides: unknown): LegacyCase =>
  controlPlane(`runtime specification: ${title}`, {
    'machine.baseRuntimeSpecOverrides': baseRuntimeSpecOverrides,
  })

const whole: LegacyCase[] = [
  controlPlane('a control plane as generated', {}),
  worker('a worker as generated', {}),
  controlPlane('no machine', { machine: undefined }),
  controlPlane('no cluster', { cluster: undefined }),
  worker('no cluster for a worker', { cluster: undefined }),
  controlPlane('a configuration that is not kept', { persist: false }),
  controlPlane('nothing said about keeping', { persist: undefined }),
  worker('join', { 'machine.type': 'join' }),
  worker('no type', { 'machine.type': undefined }),
  controlPlane('init', { 'machine.type': 'init' }),
  controlPlane('an unknown type', { 'machine.type': 'master' }),
  controlPlane('the type unknown', { 'machine.type': 'unknown' }),
  controlPlane('a worker with the keys of a control plane', { 'machine.type': 'worker' }),
  worker('a control plane without keys', { 'machine.type': 'controlplane' }),
  controlPlane('no authority', { 'machine.ca': undefined }),
  worker('no authority for a worker', { 'machine.ca': undefined }),
  worker('only accepted authorities', {
    'machine.ca': undefined,
    'machine.acceptedCAs': [{ crt: 'QQ==' }],
  }),
  controlPlane('only accepted authorities for a control plane', {
    'machine.ca': undefined,
    'machine.acceptedCAs': [{ crt: 'QQ==' }],
  }),
  controlPlane('an authority without a key', { 'machine.ca.key': '' }),
  worker('an authority without a certificate', { 'machine.ca': { crt: '', key: '' } }),
  worker('an authority without a certificate, and others', {
    'machine.ca': { crt: '', key: '' },
    'machine.acceptedCAs': [{ crt: 'QQ==' }],
  }),
  worker('an authority with a redacted key', { 'machine.ca.key': '******' }),
  worker('the key of Kubernetes on a worker', { 'cluster.ca.key': 'QQ==' }),
]

const install: LegacyCase[] = [
  controlPlane('no install', { 'machine.install': undefined }),
  controlPlane('an empty install', { 'machine.install': {} }),
  controlPlane('no disk', { 'machine.install.disk': '' }),
  controlPlane('a disk selector', {
    'machine.install': { diskSelector: { size: '>= 1TB', model: 'a*', type: 'nvme' } },
  }),
  controlPlane('an empty disk selector', { 'machine.install': { diskSelector: {} } }),
  controlPlane('a disk selector by name', { 'machine.install': { diskSelector: { name: 'x' } } }),
  controlPlane('a disk selector by name and a disk', {
    'machine.install': { disk: '/dev/sda', diskSelector: { name: 'x', type: 'floppy' } },
  }),
  controlPlane('a disk selector by an odd type', {
    'machine.install': { diskSelector: { type: 'floppy' } },
  }),
  controlPlane('kernel arguments next to those of the image', {
    'machine.install.extraKernelArgs': ['a=b'],
  }),
  controlPlane('kernel arguments', {
    'machine.install': { disk: '/dev/sda', extraKernelArgs: ['a=b'] },
  }),
  controlPlane('extensions', { 'machine.install.extensions': [{ image: 'a' }, { image: 'b' }] }),
  controlPlane('an extension twice', {
    'machine.install.extensions': [{ image: 'a' }, { image: 'b' }, { image: 'a' }],
  }),
]

const features: LegacyCase[] = [
  controlPlane('no features', { 'machine.features': undefined }),
  controlPlane('no resolver', { 'machine.features.hostDNS': { enabled: false } }),
  controlPlane('a resolver that does not forward', {
    'machine.features.hostDNS': { enabled: true },
  }),
  controlPlane('forwarding without a resolver', {
    'machine.features.hostDNS': { forwardKubeDNSToHost: true },
  }),
  controlPlane('Talos from Kubernetes', {
    'machine.features.kubernetesTalosAPIAccess': {
      enabled: true,
      allowedRoles: ['os:admin', 'os:reader', 'os:etcd:backup', 'os:impersonator'],
      allowedKubernetesNamespaces: ['default'],
    },
  }),
  controlPlane('Talos from Kubernetes with odd roles', {
    'machine.features.kubernetesTalosAPIAccess': {
      enabled: true,
      allowedRoles: ['admin', 'os:meta:writer', ''],
    },
  }),
  worker('Talos from Kubernetes on a worker', {
    'machine.features.kubernetesTalosAPIAccess': { enabled: true, allowedRoles: ['os:nobody'] },
  }),
  worker('Talos from Kubernetes, off', {
    'machine.features.kubernetesTalosAPIAccess': { enabled: false, allowedRoles: ['os:nobody'] },
  }),
  controlPlane('an algorithm to sort addresses', {
    'machine.features.nodeAddressSortAlgorithm': 'V2',
  }),
  controlPlane('an odd algorithm to sort addresses', {
    'machine.features.nodeAddressSortAlgorithm': 'v3',
  }),
]

const storage: LegacyCase[] = [
  controlPlane('disks', {
    'machine.disks': [
      {
        device: '/dev/sdb',
        partitions: [{ size: '10GB', mountpoint: '/a' }, { mountpoint: '/b' }],
      },
    ],
  }),
  controlPlane('a whole disk in front', {
    'machine.disks': [
      { device: '/dev/sdb', partitions: [{ mountpoint: '/a' }, { size: 0 }, { mountpoint: '/b' }] },
    ],
  }),
  controlPlane('a disk that is null', { 'machine.disks': [null, { device: '/dev/sdb' }] }),
  controlPlane('encryption', {
    'machine.systemDiskEncryption': {
      state: { provider: 'luks2', keys: [{ slot: 0, nodeID: {} }] },
      ephemeral: {
        provider: 'luks2',
        keys: [
          { slot: 0, static: { passphrase: 'x' } },
          { slot: 1, tpm: {} },
          { slot: 2, kms: { endpoint: 'https://a.example' } },
        ],
      },
    },
  }),
  controlPlane('encryption without keys', {
    'machine.systemDiskEncryption': { state: {}, ephemeral: { keys: [] } },
  }),
  controlPlane('encryption with odd keys', {
    'machine.systemDiskEncryption': {
      state: { keys: [{ slot: 1, nodeID: {} }, { slot: 1 }] },
      ephemeral: { keys: [{ nodeID: {} }, { tpm: {} }] },
    },
  }),
]

const node: LegacyCase[] = [
  controlPlane('subnets of the kubelet', {
    'machine.kubelet.nodeIP': { validSubnets: ['10.0.0.0/8', '!10.0.0.1', 'fd00::/8'] },
  }),
  controlPlane('odd subnets of the kubelet', {
    'machine.kubelet.nodeIP': { validSubnets: ['10.0.0.0/99', '!x'] },
  }),
  controlPlane('settings of the kubelet', {
    'machine.kubelet.extraConfig': { serverTLSBootstrap: true, maxPods: 250 },
  }),
  controlPlane('settings of the kubelet that are not for us', {
    'machine.kubelet.extraConfig': {
      kind: null,
      port: 5,
      seccompDefault: false,
      apiVersion: 'x',
      constructor: 1,
    },
  }),
  controlPlane('logging', {
    'machine.logging': {
      destinations: [
        { endpoint: 'tcp://a.example:5044/', format: 'json_lines' },
        { endpoint: 'UDP://[::1]:5044', format: 'json_lines', extraTags: { a: 'b' } },
      ],
    },
  }),
  controlPlane('odd logging', {
    'machine.logging': {
      destinations: [
        { format: 'json_lines' },
        { endpoint: '', format: 'xml' },
        { endpoint: 'https://a.example', format: 'json_lines' },
        { endpoint: 'tcp:5044' },
      ],
    },
  }),
  controlPlane('labels', {
    'machine.nodeLabels': { 'a.example/b': 'c', d: '', 'e_f.g-h': 'I.j_k' },
    'machine.nodeAnnotations': { 'a.example/b': 'anything: {}', d: '' },
    'machine.nodeTaints': { 'a.example/b': 'c:NoSchedule', d: 'NoExecute', e: ':PreferNoSchedule' },
  }),
  controlPlane('odd labels', {
    'machine.nodeLabels': {
      '/a': 'b',
      'a/b/c': 'd',
      'A/b': 'c',
      [LONG]: 'a',
      'a/': 'b',
      'b-': 'c',
      c: LONG,
      d: '-',
      [`${'a'.repeat(254)}/b`]: 'c',
      ö: 'é',
    },
  }),
  controlPlane('one odd label', { 'machine.nodeLabels': { '': 'a' } }),
  controlPlane('odd annotations', {
    'machine.nodeAnnotations': {
      'a b': 'c',
      'talos.dev/owned-labels': '',
      'talos.dev/owned-taints': '',
      'talos.dev/owned-annotations': '',
    },
  }),
  controlPlane('too many annotations', {
    'machine.nodeAnnotations': { a: 'é'.repeat(128 * 1024), b: 'c' },
  }),
  controlPlane('odd taints', {
    'machine.nodeTaints': {
      a: 'b:NoSchedule:NoExecute',
      b: '-:NoSchedule',
      c: '',
      d: 'noschedule',
      'e/': 'NoSchedule',
      f: 'x:',
    },
  }),
  controlPlane('a registry that is null', {
    'machine.registries': { config: { 'a.example': null } },
  }),
  controlPlane('a mirror that is null', {
    'machine.registries': { mirrors: { 'a.example': null } },
  }),
  controlPlane('registries', {
    'machine.registries': { mirrors: { 'a.example': {} }, config: { 'a.example': {} } },
  }),
]

const runtime: LegacyCase[] = [
  override('limits', {
    process: { rlimits: [{ type: 'RLIMIT_NOFILE', hard: 1024, soft: 1024.0 }] },
  }),
  override('what nobody knows', { a: { b: 1 }, linux: { x: 'y' }, process: null }),
  override('nothing', {}),
  override('a flag that is a text', { PROCESS: { Terminal: 'x' } }),
  override('an object that is a list', { process: [1] }),
  override('a text that is a number', { hostname: 5 }),
  override('a text that is an object', { hostname: {} }),
  override('a number that is a text', { linux: { resources: { pids: { limit: '5' } } } }),
  override('a negative number', { process: { rlimits: [{ hard: -1 }] } }),
  override('half a number', { process: { oomScoreAdj: 1.5 } }),
  override('a number that is too large', { process: { user: { uid: 4294967296 } } }),
  override('a number that is just not too small', {
    process: { scheduler: { nice: -2147483648 } },
  }),
  override('a list that is an object', { hooks: { prestart: {} } }),
  override('a list that is a flag', { linux: { memoryPolicy: { flags: true } } }),
  override('an odd value in a map', { annotations: { a: 'b', c: 5 } }),
  override('an odd object in a map', { linux: { timeOffsets: { a: 4 } } }),
  override('an odd word in a list', { linux: { seccomp: { architectures: [null, 'x', 5] } } }),
  override('a mode that is a text', { linux: { devices: [{ fileMode: '0644' }] } }),
  override('a map that is a list', { linux: { sysctl: [1] } }),
  override('anything where anything goes', { windows: { credentialSpec: 5 } }),
  override('the first of two', { ociVersion: 5, linux: { cgroupsPath: 5 } }),
]

/** Good and bad settings of the machine itself. */
export const machineCases: readonly LegacyCase[] = [
  ...whole,
  ...install,
  ...features,
  ...storage,
  ...node,
  ...runtime,
]
