import { ageColumn, defineKind, type Resource, VITISTACK_GROUP } from './meta.ts'
import { providedMachineSpec } from './provided-machine.ts'
import { flag, integer, list, nullable, object, oneOf, optional, text, textMap } from './schema.ts'
import { conditions, observedGeneration } from './shapes.ts'
import { typesOnly } from './types-only.ts'

// The schema holds types and the immutability of the cluster's name, nothing else. A spec that is
// wrong becomes a condition and a phase that a user can read, not a refusal; the rules and the
// defaults are the controller's.

const subnets = (description: string) => optional(list(description, text('A CIDR.')))

const machineTemplate = optional(
  object('What the machines are made from.', {
    // The published example has `spec:` with nothing but a comment behind it.
    spec: optional(nullable(typesOnly(providedMachineSpec))),
  }),
)

const talosMachine = object('Settings of every machine.', {
  type: optional(text('Accepted, checked and not used: the role decides.')),
  token: optional(text('Join token. Better left out, or in the Secret that `secretRef` names.')),
  ca: optional(
    object('The Talos CA. Better left out, or in the Secret that `secretRef` names.', {
      crt: optional(text('Certificate, PEM.')),
      key: optional(text('Private key, PEM.')),
    }),
  ),
  certSANs: optional(
    list('Further names in the certificate of the machines’ API.', text('A name or address.')),
  ),
  kubelet: optional(
    object('Settings of the kubelet.', {
      image: optional(text('Image of the kubelet.')),
      extraArgs: optional(textMap('Further arguments of the kubelet.')),
    }),
  ),
})

const talosCluster = object('Settings of the cluster.', {
  name: optional(text('Empty, or the same as `clusterName`.')),
  controlPlane: optional(
    object('Settings of the control plane.', {
      endpoint: optional(text('Empty, or the same as `clusterEndpoint`.')),
    }),
  ),
  network: optional(
    object('Network of the cluster.', {
      dnsDomain: optional(text('DNS domain. Left out: `cluster.local`.')),
      podSubnets: subnets('Address ranges of pods. Left out: `10.244.0.0/16`.'),
      serviceSubnets: subnets('Address ranges of Services. Left out: `10.96.0.0/12`.'),
    }),
  ),
})

const install = object('How Talos is installed.', {
  disk: optional(text('Disk to install on. Left out: `/dev/sda`.')),
  image: optional(text('Installer image. Left out: the standard one of the Talos version.')),
  bootloader: optional(flag('Install a boot loader. Left out: true.')),
  wipe: optional(flag('Wipe the disk first. Left out: false.')),
  extraKernelArgs: optional(list('Further kernel arguments.', text('One argument.'))),
})

const effectiveName = (self: 'self' | 'oldSelf') =>
  `(has(${self}.spec) && has(${self}.spec.clusterName) && ${self}.spec.clusterName != '' ? ${self}.spec.clusterName : ${self}.metadata.name)`

/** A whole cluster by its shape: how many machines of which kind. Machines are made by providers. */
export const KubernetesCluster = defineKind({
  group: VITISTACK_GROUP,
  version: 'v1alpha1',
  kind: 'KubernetesCluster',
  plural: 'kubernetesclusters',
  stem: 'kubernetes-cluster',
  shortNames: ['kc'],
  description:
    'A whole Talos cluster by its shape: control planes and groups of workers, each made from a machine template by a machine provider.',
  columns: [
    {
      name: 'Phase',
      jsonPath: '.status.phase',
      type: 'string',
      description: 'Pending, Provisioning, Running or Failed.',
    },
    {
      name: 'Kubernetes',
      jsonPath: '.spec.kubernetesVersion',
      type: 'string',
      description: 'Kubernetes version that is wanted.',
    },
    {
      name: 'Talos',
      jsonPath: '.spec.talosVersion',
      type: 'string',
      description: 'Talos version that is wanted.',
    },
    {
      name: 'Machines',
      jsonPath: '.status.machineCount',
      type: 'integer',
      description: 'How many machines were generated.',
    },
    ageColumn,
  ],
  rules: [
    {
      rule: `${effectiveName('self')} == ${effectiveName('oldSelf')}`,
      message: 'clusterName is immutable',
      fieldPath: '.spec.clusterName',
    },
  ],
  specRequired: false,
  spec: object('The cluster that is wanted.', {
    clusterName: optional(
      text('Name of the cluster; it starts the names of all machines. Left out: metadata.name.'),
    ),
    kubernetesVersion: optional(text('Kubernetes version, for example `v1.28.3`.')),
    talosVersion: optional(text('Talos version, for example `v1.5.5`.')),
    clusterEndpoint: optional(
      text('URL of the Kubernetes API, for example `https://192.168.1.100:6443`.'),
    ),
    podSubnets: subnets('Address ranges of pods. Left out: `10.244.0.0/16`.'),
    serviceSubnets: subnets('Address ranges of Services. Left out: `10.96.0.0/12`.'),
    controlPlane: optional(
      object('The control-plane machines.', {
        replicas: optional(integer('How many: 1, 3 or 5.')),
        machineTemplate,
      }),
    ),
    workers: optional(
      list(
        'Groups of workers.',
        object('One group of workers.', {
          name: optional(text('Name of the group; it is part of the names of its machines.')),
          replicas: optional(integer('How many machines.')),
          machineTemplate,
        }),
      ),
    ),
    talosConfig: optional(
      object('Settings that go into the Talos configuration.', {
        machine: optional(talosMachine),
        cluster: optional(talosCluster),
        install: optional(install),
        secretRef: optional(
          object('The Secret with the cluster’s keys and tokens. Left out: made by the operator.', {
            name: optional(text('Name of the Secret, in the same namespace.')),
          }),
        ),
      }),
    ),
  }),
  status: object('The cluster that is there.', {
    phase: optional(
      oneOf('Where the cluster is in its life.', ['Pending', 'Provisioning', 'Running', 'Failed']),
    ),
    conditions,
    controlPlaneReady: optional(flag('Whether every control-plane machine is ready.')),
    workersReady: optional(integer('How many workers are ready.', { format: 'int32' })),
    machineCount: optional(integer('How many machines were generated.', { format: 'int32' })),
    observedGeneration,
    lastUpdated: optional(
      text('When this status last changed in another field.', { format: 'date-time' }),
    ),
  }),
  conditions: {
    Ready: 'Every machine exists and is ready.',
    TopologyValid: 'The spec makes sense.',
    MachinesCreated: 'Every machine that the spec asks for has a Machine object.',
    // The files help to look into things; a cluster runs as well without them.
    FilesGenerated: {
      meaning: 'Every Machine is written to the results folder, too.',
      forReady: 'any',
    },
  },
  finalizer: 'cluster.vitistack.io/finalizer',
})
export type KubernetesCluster = Resource<typeof KubernetesCluster>
