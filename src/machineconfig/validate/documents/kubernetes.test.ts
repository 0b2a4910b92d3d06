import { describe, expect, test } from 'vitest'
import { conflictOf, errorsOf, verdictOn } from './verdicts.cases.ts'

const LATER = 'v1.14.0'
const WORKER_KINDS =
  'the following document kinds are only allowed on control plane machines: [KubeProxyConfig]'

const errors = (kind: string, fields: object = {}) => errorsOf(kind, { ...fields }, LATER)
const warnings = (kind: string, fields: object) =>
  verdictOn([[kind, { ...fields }]], { talosVersion: LATER }).warnings

describe('what runs Kubernetes', () => {
  const odd = { resources: { requests: { cpu: 1, memory: 1 }, limits: { gpu: 1 } } }
  const ODD = 'unsupported pod resource "gpu"'

  test.each([
    ['KubeAPIServerConfig', 'kube-apiserver image cannot be empty'],
    ['KubeControllerManagerConfig', 'kube-controller-manager image cannot be empty'],
    ['KubeSchedulerConfig', 'scheduler image cannot be empty'],
    ['KubeProxyConfig', 'proxy image cannot be empty'],
  ])('%s has an image and resources', (kind, none) => {
    expect(errors(kind, odd)).toEqual([none, ODD])
    expect(errors(kind, { image: 'a:v1' })).toEqual([])
  })

  test.each(['KubeControllerManagerConfig', 'KubeSchedulerConfig', 'KubeProxyConfig'])(
    '%s can be switched off',
    (kind) => {
      const off = { enabled: false, mode: 'ipvs', ...odd }
      expect(errors(kind, off)).toEqual([])
      expect(warnings(kind, off)).toEqual([])
    },
  )

  test('arguments of the API server that have a document are refused', () => {
    const extraArgs = { 'oidc-issuer-url': 'a', 'anonymous-auth': 'b', v: '3' }
    expect(errors('KubeAPIServerConfig', { image: 'a', extraArgs })).toEqual([
      'kube-apiserver extra argument "anonymous-auth" is not allowed: use KubeAuthenticationConfig',
      'kube-apiserver extra argument "oidc-issuer-url" is not allowed: use KubeAuthenticationConfig',
    ])
  })

  test('the proxy has few modes', () => {
    const proxy = (mode: string) => ({ image: 'a', mode })
    expect(errors('KubeProxyConfig', proxy('x'))).toEqual([
      'invalid proxy mode "x": supported modes are iptables, ipvs and nftables',
    ])
    expect(errors('KubeProxyConfig', proxy('nftables'))).toEqual([])
    expect(warnings('KubeProxyConfig', proxy('nftables'))).toEqual([])
    for (const mode of ['iptables', 'ipvs']) {
      expect(warnings('KubeProxyConfig', proxy(mode))).toEqual([
        `proxy mode "${mode}" is not recommended, please switch to nftables if possible`,
      ])
    }
    expect(warnings('KubeProxyConfig', { image: 'a', extraArgs: { v: '3' } })).toEqual([
      'extra arguments for kube-proxy may not work as expected, please use configuration instead',
    ])
  })

  test('plugins and authorizers have names', () => {
    expect(errors('KubeAdmissionControlConfig')).toEqual([
      'admission control plugin name is required',
    ])
    expect(errors('KubeAdmissionControlConfig', { name: 'a' })).toEqual([])
    expect(errors('KubeAuthorizerConfig')).toEqual([
      'authorizer name is required',
      'authorizer type is required',
      'authorizer type  is not allowed, allowed types are [Node RBAC Webhook]',
    ])
    expect(errors('KubeAuthorizerConfig', { name: 'a', type: 'Webhook' })).toEqual([
      'authorizer webhook configuration is required for Webhook authorizer type',
    ])
    expect(
      errors('KubeAuthorizerConfig', { name: 'a', type: 'Webhook', webhook: { a: 1 } }),
    ).toEqual([])
    expect(
      warnings('KubeAuthorizerConfig', { name: 'a', type: 'Webhook', webhook: { a: 1 } }),
    ).toEqual([])
    expect(warnings('KubeAuthorizerConfig', { name: 'a', type: 'Node' })).toEqual([])
    expect(
      warnings('KubeAuthorizerConfig', { name: 'a', type: 'Node', webhook: { a: 1 } }),
    ).toEqual(['authorizer webhook configuration is not allowed non-Webhook authorizer types'])
  })

  test('the cluster has a name and an endpoint', () => {
    expect(errors('KubeClusterConfig')).toEqual([
      'clusterName must be specified',
      'endpoint must be specified',
    ])
    expect(errors('KubeClusterConfig', { clusterName: 'a', endpoint: 'https://b' })).toEqual([])
  })

  test('what is kept in etcd is encrypted somehow', () => {
    expect(errors('KubeEtcdEncryptionConfig')).toEqual(['etcd encryption config is required'])
    expect(errors('KubeEtcdEncryptionConfig', { config: { resources: [] } })).toEqual([])
  })

  test('flannel has a backend', () => {
    expect(errors('KubeFlannelCNIConfig', odd)).toEqual([
      'flannel backend type must be specified',
      ODD,
    ])
  })
})

describe('networks of the cluster', () => {
  const pods = (...podSubnets: string[]) =>
    errors('KubeNetworkConfig', { podSubnets, serviceSubnets: ['10.96.0.0/12', 'fd00::/108'] })

  test('are one or two', () => {
    expect(errors('KubeNetworkConfig', { serviceSubnets: ['a', 'b', 'c'] })).toEqual([
      'pod subnets: at least one subnet must be specified',
      'service subnets: at most two subnets can be specified for dual-stack clusters',
      'the number of pod subnets must match the number of service subnets',
    ])
    expect(pods('10.244.0.0/16', 'fd00:1::/64')).toEqual([])
    expect(pods('10.244.0.0/16')).toEqual([
      'the number of pod subnets must match the number of service subnets',
    ])
  })

  test('are of both families', () => {
    const same = [
      'pod subnets: at most one IPv4 and one IPv6 subnet can be specified for dual-stack clusters',
    ]
    expect(pods('10.244.0.0/16', '10.245.0.0/16')).toEqual(same)
    expect(pods('fd00:1::/64', 'fd00:2::/64')).toEqual(same)
  })

  test('are whole and large enough', () => {
    const wrong = (subnet: string) => pods('fd00:1::/64', subnet)
    expect(wrong('10.244.0.1/16')).toEqual([
      'pod subnets: invalid subnet: 10.244.0.1/16 is not a valid CIDR',
    ])
    expect(pods('fd00::1/64', '10.0.0.0/8')).toEqual([
      'pod subnets: invalid subnet: fd00::1/64 is not a valid CIDR',
    ])
    expect(wrong('10.244.0.0/29')).toEqual([
      'pod subnets: invalid subnet: 10.244.0.0/29 is too small, it must be at least /4 IPs',
    ])
    expect(wrong('')).toEqual(['pod subnets: invalid subnet: invalid Prefix'])
    expect(pods('::x/64', '10.0.0.0/8')).toHaveLength(1)
  })
})

describe('other documents of v1.14', () => {
  test('discovery has an identity', () => {
    expect(errors('DiscoveryIdentityConfig')).toEqual(['clusterID is required'])
    expect(errors('DiscoveryIdentityConfig', { clusterID: 'a' })).toEqual([
      'clusterSecret is required',
    ])
    expect(errors('DiscoveryIdentityConfig', { clusterID: 'a', clusterSecret: '*' })).toEqual([
      'invalid clusterSecret: failed to decode from base64: ******; illegal base64 data at input byte 0',
    ])
    const clusterSecret = Buffer.alloc(32).toString('base64')
    expect(errors('DiscoveryIdentityConfig', { clusterID: 'a', clusterSecret })).toEqual([])
  })

  test('discovery has a service', () => {
    const service = (endpoint: string) => errors('DiscoveryServiceConfig', { name: 'a', endpoint })
    expect(errors('DiscoveryServiceConfig')).toEqual(['name is required'])
    expect(errors('DiscoveryServiceConfig', { name: 'a' })).toEqual(['endpoint is required'])
    expect(service('/a')).toEqual(['endpoint scheme is required'])
    expect(service('ftp://a')).toEqual(['endpoint scheme must be http://, https:// or grpc://'])
    expect(service('https:///a')).toEqual(['endpoint host is required'])
    expect(service('https://discovery.talos.dev/')).toEqual([])
  })

  test('file systems are trimmed forwards in time', () => {
    expect(errors('FilesystemTrimConfig', { interval: '-1s' })).toEqual([
      'interval cannot be negative',
    ])
    expect(errors('FilesystemTrimConfig', { interval: '1s' })).toEqual([])
  })

  test('parameters of the kernel have names', () => {
    expect(errors('SysctlConfig', { params: { '': '1', a: '2' } })).toEqual([
      'sysctl key cannot be empty',
    ])
    expect(errors('SysfsConfig', { params: { '': '1' } })).toEqual(['sysfs key cannot be empty'])
    expect(errors('SysfsConfig', { params: { a: '1' } })).toEqual([])
  })

  test('it is said where to install', () => {
    expect(errors('UnattendedInstallConfig')).toEqual([
      'provisioning.diskSelector.match is required',
    ])
    const provisioning = { diskSelector: { match: 'disk.dev_path == "/dev/sda"' } }
    expect(errors('UnattendedInstallConfig', { provisioning })).toEqual([])
  })
})

describe('logical volumes', () => {
  const LENGTH = 'name must be between 1 and 63 characters long'
  const CHARACTERS = 'name can only contain ASCII letters, digits, hyphens and underscores'

  test('are of a group, which is made of volumes', () => {
    const group = (match: string) =>
      errors('LVMVolumeGroupConfig', { name: 'a_b', provisioning: { volumeSelector: { match } } })
    const key = 'provisioning.volumeSelector.match'
    expect(errors('LVMVolumeGroupConfig')).toEqual([
      'name is required',
      LENGTH,
      `${key} is required`,
    ])
    expect(group('volume.size')).toEqual([`${key}: expression output type is uint, expected bool`])
    expect(group('true')).toEqual([])
    expect(errors('LVMVolumeGroupConfig', { name: 'x'.repeat(63) })).toEqual([`${key} is required`])
    expect(errors('LVMVolumeGroupConfig', { name: `${'x'.repeat(63)}.` })).toEqual([
      LENGTH,
      CHARACTERS,
      `${key} is required`,
    ])
  })

  test('have a size', () => {
    const sized = (minSize: string, maxSize: string) =>
      errors('LVMLogicalVolumeConfig', {
        name: 'a',
        provisioning: { volumeGroup: 'b', minSize, maxSize },
      })
    expect(errors('LVMLogicalVolumeConfig', { name: 'a' })).toEqual([
      'provisioning.volumeGroup is required',
      'provisioning.maxSize is required',
    ])
    expect(sized('2GB', '1GB')).toEqual([
      'provisioning.minSize must not exceed provisioning.maxSize',
    ])
    expect(sized('', '-1GB')).toEqual(['provisioning.maxSize must not be negative'])
    expect(sized('1GB', '2GB')).toEqual([])
  })

  test('are mirrored and striped as their type allows', () => {
    const volume = (fields: object) =>
      errors('LVMLogicalVolumeConfig', {
        name: 'a',
        provisioning: { volumeGroup: 'b', maxSize: '1GB' },
        ...fields,
      })
    expect(volume({ mirrors: 1, stripes: 2 })).toEqual([
      'mirrors is only valid for raid1/raid10, not linear',
      'stripes is only valid for raid0/raid10, not linear',
    ])
    expect(volume({ type: 'raid10', mirrors: 0, stripes: 1 })).toEqual([
      'mirrors must be at least 1',
      'stripes must be at least 2',
    ])
    expect(volume({ type: 'raid10', mirrors: 1, stripes: 2 })).toEqual([])
  })
})

describe('documents and the legacy one', () => {
  const conflict = (kind: string, legacy: object) =>
    conflictOf([kind, {}], { machine: { type: 'worker' }, ...legacy }, LATER)

  test.each([
    [
      'KubeletConfig',
      { machine: { kubelet: {} } },
      'kubelet config is already set in v1alpha1 config (.machine.kubelet)',
    ],
    [
      'DiscoveryIdentityConfig',
      { cluster: { secret: 'a' } },
      'cluster identity is already configured in .cluster.id/.cluster.secret of the v1alpha1 config',
    ],
    [
      'KubeNodeConfig',
      { machine: { nodeTaints: {} } },
      '.machine.nodeTaints is already set in v1alpha1 config',
    ],
  ])('%s says what was said before', (kind, legacy, message) => {
    expect(conflict(kind, legacy)).toBe(message)
  })

  test('an empty list says nothing', () => {
    const admission = (admissionControl: object[]) =>
      verdictOn(
        [
          [
            '',
            {
              cluster: {
                apiServer: { admissionControl: admissionControl.map((one) => ({ ...one })) },
              },
            },
          ],
          ['KubeAdmissionControlConfig', { name: 'a' }],
        ],
        { talosVersion: LATER },
      ).errors
    const conflict = 'admission control plugin config is already set in v1alpha1 config'
    expect(admission([])).not.toContain(conflict)
    expect(admission([{ name: 'a' }])).toContain(conflict)
  })

  test('a worker has none of those that are for control planes', () => {
    const proxy = ['KubeProxyConfig', { image: 'a' }] as const
    const whole = (type: string) =>
      verdictOn([['', { machine: { type } }], proxy], { talosVersion: LATER }).errors
    expect(whole('worker')).toEqual([WORKER_KINDS])
    expect(whole('controlplane')).toEqual([])
    expect(whole('nothing')).toEqual([WORKER_KINDS])
    expect(verdictOn([['', {}], proxy], { talosVersion: LATER }).errors).toEqual([WORKER_KINDS])
  })

  test('a control plane encrypts what it keeps', () => {
    const kept = (cluster: object, encrypted: boolean) =>
      verdictOn(
        [
          ['', { machine: { type: 'controlplane' }, cluster: { ...cluster } }],
          ...(encrypted ? [['KubeEtcdEncryptionConfig', { config: { a: 1 } }] as const] : []),
        ],
        { talosVersion: LATER },
      ).errors
    const running = { ca: { crt: '', key: '' }, controlPlane: { endpoint: 'https://a' } }
    expect(kept({ ...running, secretboxEncryptionSecret: 'a' }, false)).toEqual([])
    expect(kept({ ...running, aescbcEncryptionSecret: 'a' }, false)).toEqual([])
    expect(kept(running, true)).toEqual([])
    expect(kept(running, false)).toEqual([
      'etcd encryption config is required for control plane machines running kube-apiserver',
    ])
    expect(kept({}, false)).toEqual([])
  })
})

describe('the whole configuration at v1.14', () => {
  const whole = (
    documents: Parameters<typeof verdictOn>[0],
    mode: 'metal' | 'container' = 'metal',
  ) => verdictOn(documents, { talosVersion: LATER, mode }).errors

  test('a container asks its host for names', () => {
    expect(whole([], 'container')).toEqual(['hostDNS config is required in container mode'])
    expect(whole([['', { machine: { features: { hostDNS: {} } } }]], 'container')).toEqual([
      'hostDNS must be enabled in container mode',
      'forwardKubeDNSToHost must be enabled in container mode',
    ])
    const hostDNS = { enabled: true, forwardKubeDNSToHost: true }
    expect(whole([['ResolverConfig', { hostDNS }]], 'container')).toEqual([])
  })

  test('encrypted questions need a resolver of the host', () => {
    const nameservers = [
      { address: '1.1.1.1', protocol: 'DoT', tlsServerName: 'a' },
      { address: '1.1.1.1' },
    ]
    expect(whole([['ResolverConfig', { nameservers }]])).toEqual([
      'hostDNS must be enabled when using non-default DNS protocols',
    ])
    expect(whole([['ResolverConfig', { nameservers, hostDNS: { enabled: true } }]])).toEqual([])
  })

  test('KubeSpan needs discovery', () => {
    const kubeSpan = ['KubeSpanConfig', { enabled: true }] as const
    const told = ['KubeSpan requires cluster discovery to be enabled']
    expect(whole([kubeSpan])).toEqual(told)
    expect(whole([['', { machine: { network: { kubespan: { enabled: true } } } }]])).toEqual(told)
    const cluster = { id: 'a', secret: 'b', discovery: { enabled: true } }
    expect(whole([['', { cluster }], kubeSpan])).toEqual([])
    const service = ['DiscoveryServiceConfig', { name: 'a', endpoint: 'https://a' }] as const
    expect(whole([kubeSpan, service])).toEqual([
      expect.stringContaining('cluster ID (.cluster.id or DiscoveryIdentityConfig) should be set'),
      expect.stringContaining('cluster secret (.cluster.secret or'),
    ])
    const off = { registries: { service: { disabled: true } }, enabled: true }
    expect(whole([['', { cluster: { discovery: off } }], kubeSpan])).toEqual(told)
  })
})
