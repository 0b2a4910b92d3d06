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
const ADMISSION: Moved = [
  'cluster.apiServer.admissionControl',
  'admission control plugin config is already set in v1alpha1 config',
]
/** Talos says `.machine.cluster` of what is in `.cluster`. */
const unusable = (what: string, path: string, kind: string): Moved => [
  path,
  `cluster ${what} config in v1alpha1 config (.machine.${path}) can't be used with ${kind} document, please remove it to avoid conflicts`,
]
const alreadySet = (what: string, at: readonly [string, string], kind: string): Moved => [
  at[0],
  `cluster ${what} is already set in the v1alpha1 config (.${at[1]}). Please remove it and use only the new ${kind} document to avoid conflicts`,
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
  ['KubeAdmissionControlConfig', [ADMISSION]],
  [
    'CRIBaseRuntimeSpecConfig',
    [
      [
        'machine.baseRuntimeSpecOverrides',
        'base runtime spec overrides are already set in v1alpha1 config',
      ],
    ],
  ],
  [
    'KubeAggregatorCAConfig',
    [
      [
        'cluster.aggregatorCA',
        'kube-apiserver aggregator CA is already set in v1alpha1 config (.cluster.aggregatorCA), please remove it and use the new KubeAggregatorCAConfig document instead',
      ],
    ],
  ],
  [
    'KubeAuditPolicyConfig',
    [['cluster.apiServer.auditPolicy', 'audit policy config is already set in v1alpha1 config']],
  ],
  // This is what Talos looks at, whatever the document is for.
  ['KubeAuthorizerConfig', [ADMISSION]],
  [
    'KubeClusterConfig',
    [
      alreadySet('name', ['cluster.clusterName', 'cluster.clusterName'], 'KubeClusterConfig'),
      alreadySet(
        'endpoint',
        ['cluster.controlPlane.endpoint', 'cluster.controlPlane.endpoint'],
        'KubeClusterConfig',
      ),
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
  [
    'KubeCredentialProviderConfig',
    [
      [
        'machine.kubelet',
        'cannot use KubeCredentialProviderConfig with legacy kubelet configuration (.machine.kubelet)',
      ],
    ],
  ],
  ['KubeFlannelCNIConfig', [unusable('network', 'cluster.network', 'KubeFlannelCNIConfig')]],
  [
    'KubeNetworkConfig',
    [
      alreadySet(
        'network config',
        ['cluster.network', 'machine.cluster.network'],
        'KubeNetworkConfig',
      ),
    ],
  ],
  [
    'KubeNodeConfig',
    [
      'cluster.allowSchedulingOnControlPlanes',
      'cluster.allowSchedulingOnMasters',
      'machine.kubelet.skipNodeRegistration',
      'machine.kubelet.registerWithFQDN',
      'machine.kubelet.nodeIP',
      'machine.nodeLabels',
      'machine.nodeAnnotations',
      'machine.nodeTaints',
    ].map(setAt),
  ],
  [
    'KubePrismConfig',
    [
      [
        'machine.features.kubePrism',
        "KubePrism config in v1alpha1 config (.machine.features.kubePrism) can't be used with KubePrismConfig document, please remove it to avoid conflicts",
      ],
    ],
  ],
  ['KubeProxyConfig', [unusable('proxy', 'cluster.proxy', 'KubeProxyConfig')]],
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
  ['KubeServiceAccountConfig', [set('service account', 'cluster.serviceAccount')]],
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
