import {
  DEFAULT_KUBERNETES_VERSION,
  DEFAULT_TALOS_VERSION,
  metalSpec,
  replicasInContainerMode,
  rolloutStrategy,
} from './machine-pool.ts'
import { ageColumn, defineKind, type Resource, TALOS_GROUP } from './meta.ts'
import { flag, immutable, integer, list, object, oneOf, optional, text, wordOf } from './schema.ts'
import {
  cidrs,
  conditions,
  configMapKey,
  deletionPolicy,
  localReference,
  mode,
  observedGeneration,
  storageClassName,
  version,
} from './shapes.ts'

const ENDPOINT =
  '^https?://(([a-zA-Z0-9.-]+)|(\\[(((([0-9A-Fa-f]{1,4}:){1,7}):([0-9A-Fa-f]{1,4}:){0,6}([0-9A-Fa-f]{1,4}){0,1})|((([0-9A-Fa-f]{1,4}):){7}([0-9A-Fa-f]{1,4})))\\]))(:\\d+)?$'

const cni = object('The cluster’s container network. Left out: Talos’ default, flannel.', {
  name: optional(
    oneOf('Which network Talos installs; `none` leaves it to an add-on.', [
      'flannel',
      'custom',
      'none',
    ]),
  ),
  urls: optional(list('Manifests to apply, with `name: custom`.', text('URL of a manifest.'))),
  flannel: optional(
    object('Settings of flannel.', {
      extraArgs: optional(list('Further arguments of flanneld.', text('One argument.'))),
      kubeNetworkPoliciesEnabled: optional(flag('Enforce network policies along with flannel.')),
    }),
  ),
})

export const controlPlaneSpec = object(
  'The control plane that is wanted.',
  {
    version: version('Talos version of the machines. It only goes up.', {
      default: DEFAULT_TALOS_VERSION,
    }),
    kubeVersion: version(
      'Kubernetes version. It goes up by one minor version at a time, and back only to the version that runs (which cancels an upgrade).',
      { default: DEFAULT_KUBERNETES_VERSION },
    ),
    mode,
    replicas: optional(
      integer('How many control-plane machines, in container mode.', { format: 'int32' }),
    ),
    metalSpec: optional(metalSpec),
    endpoint: optional(
      text(
        'URL under which the cluster’s Kubernetes API is reached: a virtual address, a load balancer, or one of the machines. Left out: `https://<name>:6443`.',
        { pattern: ENDPOINT },
      ),
    ),
    clusterDomain: text('DNS domain of the cluster.', {
      default: 'cluster.local',
      pattern: '^([a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?\\.)+[a-z]{2,}$',
      rules: [immutable('ClusterDomain is immutable')],
    }),
    storageClassName: optional(storageClassName()),
    podCIDR: optional(cidrs('Address ranges of pods: one IPv4, one IPv6, or one of each.')),
    serviceCIDR: optional(cidrs('Address ranges of Services: one IPv4, one IPv6, or one of each.')),
    configRef: optional(
      configMapKey(
        'A complete control-plane machine configuration to use instead of a generated one; its secrets become the cluster’s.',
      ),
    ),
    secretsRef: optional(
      localReference(
        'The Secret that holds the cluster’s keys and tokens. Left out: `<name>-secrets`, made by the operator.',
      ),
    ),
    cni: optional(cni),
    deletionPolicy,
    rolloutStrategy,
  },
  {
    rules: [
      {
        rule: "self.mode != 'metal' || (has(self.metalSpec) && has(self.metalSpec.machines) && size(self.metalSpec.machines) > 0)",
        message: "Machines is required when mode is 'metal'",
      },
      replicasInContainerMode,
      {
        // Another Secret would mean other keys than the machines have: access would be lost.
        rule: "(has(self.secretsRef) ? self.secretsRef.name : '') == (has(oldSelf.secretsRef) ? oldSelf.secretsRef.name : '')",
        message: 'secretsRef is immutable',
        fieldPath: '.secretsRef',
      },
    ],
  },
)

/** The machines that run etcd and the Kubernetes control plane of one cluster. */
export const ControlPlane = defineKind({
  group: TALOS_GROUP,
  version: 'v1alpha1',
  kind: 'TalosControlPlane',
  plural: 'taloscontrolplanes',
  stem: 'control-plane',
  shortNames: ['tcp'],
  description:
    'The control plane of a Talos cluster: its machines, its versions, its network, and the credentials that belong to it.',
  columns: [
    {
      name: 'State',
      jsonPath: '.status.state',
      type: 'string',
      description: 'Where the control plane is in its life.',
    },
    {
      name: 'Version',
      jsonPath: '.spec.version',
      type: 'string',
      description: 'Talos version that is wanted.',
    },
    {
      name: 'KubeVersion',
      jsonPath: '.spec.kubeVersion',
      type: 'string',
      description: 'Kubernetes version that is wanted.',
    },
    {
      name: 'Mode',
      jsonPath: '.spec.mode',
      type: 'string',
      description: 'Where the machines are.',
    },
    ageColumn,
  ],
  specRequired: false,
  spec: controlPlaneSpec,
  status: object('The control plane that is there.', {
    state: optional(
      wordOf('Where the control plane is in its life.', [
        'Pending',
        'Available',
        'Bootstrapped',
        'Ready',
        'UpgradingKubernetes',
        'KubernetesUpgradeFailed',
      ]),
    ),
    observedGeneration,
    conditions,
    observedKubeVersion: optional(text('Kubernetes version that runs.')),
    imported: optional(flag('Whether the cluster was taken over rather than created.')),
    config: optional(
      text('Written by older operators only; read once for takeover, then cleared.'),
    ),
    secretBundle: optional(
      text('Written by older operators only; read once for takeover, then cleared.'),
    ),
    bundleConfig: optional(
      text('Written by older operators only; read once for takeover, then cleared.'),
    ),
  }),
  conditions: {
    Ready: 'The control plane runs as the spec says and its Kubernetes API answers.',
    Deleting: { meaning: 'The control plane is being taken down.', forReady: 'False' },
    KubernetesUpgradeSucceeded: {
      meaning: 'The last Kubernetes upgrade reached its version everywhere.',
      forReady: 'any',
    },
    KubernetesUpgradeFailed: {
      meaning: 'The last Kubernetes upgrade stopped before its version was reached.',
      forReady: 'False',
    },
  },
})
export type ControlPlane = Resource<typeof ControlPlane>
