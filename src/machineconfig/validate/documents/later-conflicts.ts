import type { Value, ValueMap } from '#machineconfig/document.ts'
import { isSection, type Section, valueAt } from '#machineconfig/validate/checks/fields.ts'

/** What a document of v1.14 takes over: where that was, and how Talos names it. */
type Moved = readonly [path: string, message: string]

const set = (what: string, path: string): Moved => [
  path,
  `${what} is already set in v1alpha1 config (.${path})`,
]
const setAt = (path: string): Moved => [path, `.${path} is already set in v1alpha1 config`]
const IDENTITY =
  'cluster identity is already configured in .cluster.id/.cluster.secret of the v1alpha1 config'
const ENCRYPTION = 'etcd encryption config is already set in v1alpha1 config'
const NETWORK: Moved = [
  'cluster.network',
  'cluster network config is already set in the v1alpha1 config (.machine.cluster.network)',
]

const MOVED: ReadonlyMap<string, readonly Moved[]> = new Map<string, readonly Moved[]>([
  [
    'DiscoveryIdentityConfig',
    [
      ['cluster.id', IDENTITY],
      ['cluster.secret', IDENTITY],
    ],
  ],
  [
    'DiscoveryServiceConfig',
    [
      [
        'cluster.discovery',
        'discovery service is already configured in .cluster.discovery of the v1alpha1 config',
      ],
    ],
  ],
  [
    'ImageCacheConfig',
    [['machine.features.imageCache', 'image cache config is already set in v1alpha1 config']],
  ],
  [
    'KubeAPIServerConfig',
    [
      set('kube-apiserver config', 'cluster.apiServer'),
      set('kube-apiserver API port', 'cluster.controlPlane.localAPIServerPort'),
    ],
  ],
  ['KubeAPIServerCAConfig', [set('kube-apiserver CA', 'cluster.ca')]],
  [
    'KubeAdmissionControlConfig',
    [
      [
        'cluster.apiServer.admissionControl',
        'admission control plugin config is already set in v1alpha1 config',
      ],
    ],
  ],
  ['KubeAggregatorCAConfig', [set('aggregator CA', 'cluster.aggregatorCA')]],
  [
    'KubeAuditPolicyConfig',
    [['cluster.apiServer.auditPolicy', 'audit policy config is already set in v1alpha1 config']],
  ],
  ['KubeAuthorizerConfig', [set('authorizer config', 'cluster.apiServer.authorizationConfig')]],
  [
    'KubeClusterConfig',
    [
      set('cluster name', 'cluster.clusterName'),
      set('cluster endpoint', 'cluster.controlPlane.endpoint'),
    ],
  ],
  [
    'KubeControllerManagerConfig',
    [
      set('kube-controller-manager config', 'cluster.controllerManager'),
      [
        'machine.controlPlane.controllerManager',
        'kube-controller-manager config is already set in v1alpha1 config (.machine.controlplane.controllerManager)',
      ],
    ],
  ],
  ['KubeCoreDNSConfig', [set('CoreDNS config', 'cluster.coreDNS')]],
  [
    'KubeEtcdEncryptionConfig',
    [
      ['cluster.secretboxEncryptionSecret', ENCRYPTION],
      ['cluster.aescbcEncryptionSecret', ENCRYPTION],
    ],
  ],
  ['KubeFlannelCNIConfig', [NETWORK]],
  ['KubeNetworkConfig', [NETWORK]],
  [
    'KubeNodeConfig',
    ['machine.nodeLabels', 'machine.nodeAnnotations', 'machine.nodeTaints'].map(setAt),
  ],
  ['KubePrismConfig', [setAt('machine.features.kubePrism')]],
  ['KubeProxyConfig', [set('kube-proxy config', 'cluster.proxy')]],
  [
    'KubeSchedulerConfig',
    [
      set('kube-scheduler config', 'cluster.scheduler'),
      [
        'machine.controlPlane.scheduler',
        'kube-scheduler config is already set in v1alpha1 config (.machine.controlplane.scheduler)',
      ],
    ],
  ],
  ['KubeServiceAccountConfig', [set('service account key', 'cluster.serviceAccount')]],
  ['KubeTalosAPIAccessConfig', [setAt('machine.features.kubernetesTalosAPIAccess')]],
  ['KubeletConfig', [set('kubelet config', 'machine.kubelet')]],
  [
    'UnattendedInstallConfig',
    [
      [
        'machine.install',
        'UnattendedInstallConfig config is incompatible with v1alpha1 config (.machine.install)',
      ],
    ],
  ],
])

/** The first thing that such a document repeats of the legacy one. */
export const laterConflict = (kind: string, legacy: ValueMap): string | undefined =>
  MOVED.get(kind)?.find(([path]) => isThere(valueBelow(legacy, path)))?.[1]

const valueBelow = (legacy: ValueMap, path: string): Value | undefined =>
  path.split('.').reduce<Value | undefined>((at, key) => {
    const section: Section = isSection(at) ? at : undefined
    return valueAt(section, key)
  }, legacy)

/** An empty list says nothing; an empty section does. */
const isThere = (value: Value | undefined): boolean =>
  value !== undefined && !(Array.isArray(value) && value.length === 0)
