import { expect, it } from 'vitest'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { configFacts } from './config-facts.ts'

const factsOf = (text: string) =>
  configFacts(readConfig(text, { talosVersion: 'v1.14.0' }), 'v1.14.0')

const LEGACY = `version: v1alpha1
machine:
    type: controlplane
    token: aaaaaa.bbbbbbbbbbbbbbbb
cluster:
    token: cccccc.dddddddddddddddd
`

const document = (kind: string, fields = ''): string =>
  `---\napiVersion: v1alpha1\nkind: ${kind}\n${fields}`

const DOCUMENTS = [
  document('DiscoveryServiceConfig', 'name: default\nendpoint: https://discovery.talos.dev/\n'),
  document('DiscoveryIdentityConfig', 'clusterID: id\nclusterSecret: secret\n'),
  document(
    'UnattendedInstallConfig',
    `provisioning:\n    diskSelector:\n        match: disk.dev_path == "/dev/sdb"\n`,
  ),
  document('KubeClusterConfig', 'clusterName: one\nendpoint: https://10.0.0.1:6443\n'),
  document('KubeNodeConfig', 'labels:\n    zone: a\ntaints:\n    special: "yes:NoExecute"\n'),
  document('KubeletConfig', 'image: ghcr.io/siderolabs/kubelet:v1.35.1\n'),
  document('KubeNetworkConfig', 'dnsDomain: example.test\npodSubnets:\n    - 10.1.0.0/16\n'),
  document('KubePrismConfig', 'port: 7446\n'),
  document('KubeAPIServerConfig', 'image: example.test/api:v1\ncertExtraSANs:\n    - api.test\n'),
  document('KubeControllerManagerConfig', 'image: example.test/manager:v1\n'),
  document('KubeSchedulerConfig', 'image: example.test/scheduler:v1\n'),
  document('KubeProxyConfig', 'enabled: false\n'),
  document('KubeCoreDNSConfig', 'enabled: true\n'),
  document('KubeTalosAPIAccessConfig', 'allowedRoles:\n    - os:reader\n'),
]

it('documents of v1.14 say what the one document said before', () => {
  expect(factsOf([LEGACY, ...DOCUMENTS].join(''))).toMatchObject({
    ...{ clusterName: 'one', clusterId: 'id', hasDiscovery: true, kubernetesVersion: '1.35.1' },
    ...{ dnsDomain: 'example.test', podSubnets: ['10.1.0.0/16'], kubePrismPort: 7446 },
    ...{ cni: 'none', hasKubeProxy: false, hasCoreDns: true, apiServerSans: ['api.test'] },
    nodeLabels: { zone: 'a' },
    nodeTaints: [{ key: 'special', value: 'yes', effect: 'NoExecute' }],
    install: { disk: '/dev/sdb', isUnattended: true },
    images: {
      kubelet: 'ghcr.io/siderolabs/kubelet:v1.35.1',
      apiServer: 'example.test/api:v1',
      controllerManager: 'example.test/manager:v1',
      scheduler: 'example.test/scheduler:v1',
    },
    kubernetesAccess: { isEnabled: true, roles: ['os:reader'] },
  })
})

it('flags of components are texts or lists, in either form', () => {
  const lists = '    extraArgs:\n        v: ["1", "2"]\n        w: "3"\n'
  const wanted = { v: ['1', '2'], w: ['3'] }
  const legacy = LEGACY.replace(
    'cluster:\n',
    `cluster:\n    apiServer:\n${lists.replace(/^/gm, '    ').trimEnd()}\n`,
  )
  const documented = [LEGACY, document('KubeAPIServerConfig', lists.replace(/^ {4}/gm, ''))].join(
    '',
  )

  expect(factsOf(legacy).extraArgs).toEqual({
    ...{ apiServer: wanted, controllerManager: {}, scheduler: {}, kubelet: {} },
  })
  expect(factsOf(documented).extraArgs.apiServer).toEqual(wanted)
})

it('a network of pods is flannel, one of their own, or none', () => {
  const withCni = (kind: string, fields: string) =>
    factsOf([LEGACY, ...DOCUMENTS, document(kind, fields)].join('')).cni

  expect(withCni('KubeFlannelCNIConfig', 'backendType: vxlan\n')).toBe('flannel')
  expect(withCni('KubeExternalManifestConfig', 'name: custom-cni\nurl: https://x.test/\n')).toBe(
    'custom',
  )
  expect(factsOf(LEGACY).cni).toBe('flannel')
})
