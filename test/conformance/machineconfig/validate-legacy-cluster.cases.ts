import { controlPlane, type LegacyCase, worker } from './validate-legacy-case.ts'

const LONG = 'a'.repeat(64)

const cluster: LegacyCase[] = [
  controlPlane('no control plane', { 'cluster.controlPlane': undefined }),
  controlPlane('no endpoint', { 'cluster.controlPlane': {} }),
  ...[
    '',
    'http://a.example',
    'https://[2001:db8::1]:6443',
    'https://[fe80::1%25eth0]:6443',
    'a:80',
    'https://',
    'https://:6443',
    'https://a.example:0',
    'https://a.example:65536',
    'https://a.example:99999999999999999999',
    'tcp://1:2:3:4',
    'https://user:word@a.example/path?x=1#y',
  ].map((endpoint) =>
    controlPlane(`endpoint ${endpoint}`, { 'cluster.controlPlane.endpoint': endpoint }),
  ),
  ...['a', 'cluster.local.', 'a_b.c', '-a', 'a..b', 'a b', LONG, 'ä'].map((domain) =>
    controlPlane(`domain ${domain}`, { 'cluster.network.dnsDomain': domain }),
  ),
  controlPlane('no network', { 'cluster.network': undefined }),
  controlPlane('manifests of a cloud', {
    'cluster.externalCloudProvider': {
      enabled: true,
      manifests: ['https://a.example/b.yaml', 'b.yaml', 'https://a.example:b/', 'https://a b/'],
    },
  }),
  controlPlane('manifests of no cloud', {
    'cluster.externalCloudProvider': { enabled: false, manifests: ['b.yaml'] },
  }),
  controlPlane('a cloud that is off', { 'cluster.externalCloudProvider': { enabled: false } }),
  controlPlane('inline manifests', {
    'cluster.inlineManifests': [
      { name: 'a', contents: 'x' },
      { name: 'a', contents: 'y' },
      { name: ' ', contents: 'z' },
      { contents: 'z' },
      { name: 'b', contents: 'z' },
    ],
  }),
]

const etcd: LegacyCase[] = [
  controlPlane('no etcd', { 'cluster.etcd': undefined }),
  controlPlane('an empty etcd', { 'cluster.etcd': {} }),
  worker('etcd on a worker', { 'cluster.etcd': {} }),
  controlPlane('subnets of etcd', {
    'cluster.etcd.advertisedSubnets': ['10.0.0.0/8', '!10.1.0.0/16', '::/0', '10.0.0.1'],
    'cluster.etcd.listenSubnets': ['fd00::/8', '!fd00::1'],
  }),
  controlPlane('odd subnets of etcd', {
    'cluster.etcd.advertisedSubnets': ['10.0.0.0/33', '!!10.1.0.0/16', 'x', ''],
  }),
  controlPlane('odd subnets that etcd listens on', {
    'cluster.etcd.listenSubnets': ['10.0.0.0/08', '10.0.0', 'fe80::1%eth0/64'],
  }),
  controlPlane('the old subnet of etcd', { 'cluster.etcd.subnet': '10.0.0.0/8' }),
  controlPlane('an odd old subnet of etcd', { 'cluster.etcd.subnet': '!a' }),
  controlPlane('both kinds of subnets of etcd', {
    'cluster.etcd.subnet': '10.0.0.0/8',
    'cluster.etcd.advertisedSubnets': ['10.0.0.0/8'],
  }),
]

const services: LegacyCase[] = [
  controlPlane('no discovery', { 'cluster.discovery': undefined }),
  controlPlane('discovery without identity', {
    'cluster.id': undefined,
    'cluster.secret': undefined,
  }),
  controlPlane('discovery off, without identity', {
    'cluster.discovery.enabled': false,
    'cluster.id': undefined,
  }),
  controlPlane('discovery by Kubernetes only', {
    'cluster.discovery.registries.service': { disabled: true, endpoint: 'x' },
    'cluster.id': undefined,
  }),
  ...[
    'https://a.example',
    'https://a.example/',
    'https://a.example/path',
    'https://a.example?x=/y',
    'https://a.example/#x',
    'https://a.example#x',
    'a.example:443',
    'a.example',
    '/path',
    ':x',
    'https://a.example:x/',
    'https://a.example/%zz',
  ].map((endpoint) =>
    controlPlane(`discovery at ${endpoint}`, {
      'cluster.discovery.registries.service': { endpoint },
    }),
  ),
  controlPlane('authorizers', {
    'cluster.apiServer.authorizationConfig': [
      { type: 'Node', name: 'node' },
      { type: 'Webhook', name: 'hook', webhook: { timeout: '3s' } },
    ],
  }),
  controlPlane('an authorizer without a type', {
    'cluster.apiServer.authorizationConfig': [{ name: 'node' }],
  }),
  controlPlane('an authorizer without a name', {
    'cluster.apiServer.authorizationConfig': [{ type: 'Node' }],
  }),
  controlPlane('an authorizer of an odd type', {
    'cluster.apiServer.authorizationConfig': [{ type: 'ABAC', name: 'a' }],
  }),
  controlPlane('authorizers and a flag', {
    'cluster.apiServer.authorizationConfig': [],
    'cluster.apiServer.extraArgs': { 'authorization-mode': 'RBAC' },
  }),
  controlPlane('authorizers and a flag of a webhook', {
    'cluster.apiServer.authorizationConfig': [{ type: 'RBAC', name: 'rbac' }],
    'cluster.apiServer.extraArgs': { a: 'b', 'authorization-webhook-version': 'v1' },
  }),
  controlPlane('a flag of the authorization alone', {
    'cluster.apiServer.extraArgs': { 'authorization-mode': 'RBAC' },
  }),
  controlPlane('resources', {
    'cluster.apiServer.resources': { requests: { cpu: 1, memory: '1Gi' }, limits: { cpu: '2' } },
  }),
  controlPlane('odd resources everywhere', {
    'cluster.apiServer.resources': { requests: { disk: 1 } },
    'cluster.controllerManager.resources': { limits: { gpu: 1 } },
    'cluster.scheduler.resources': { requests: { cpu: 1, 'a"b': 1 } },
  }),
]

const cnis: LegacyCase[] = [
  ...[
    { name: 'flannel', flannel: { extraArgs: ['--iface=eth1'], kubeNetworkPoliciesEnabled: true } },
    { name: 'flannel', urls: ['https://a.example/'] },
    { name: 'none' },
    { name: 'none', urls: ['x'], flannel: { extraArgs: ['a'], kubeNetworkPoliciesEnabled: true } },
    { name: 'custom' },
    { name: 'custom', urls: ['https://a.example/b.yaml'] },
    { name: 'custom', urls: ['b.yaml'], flannel: { extraArgs: ['a'] } },
    { name: 'custom', flannel: { kubeNetworkPoliciesEnabled: true } },
    { name: 'calico' },
    {},
  ].map((cni) => controlPlane(`CNI ${JSON.stringify(cni)}`, { 'cluster.network.cni': cni })),
  worker('an odd CNI on a worker', { 'cluster.network.cni': { name: 'calico' } }),
]

/** Good and bad settings of the cluster. */
export const clusterCases: readonly LegacyCase[] = [...cluster, ...etcd, ...services, ...cnis]
