import { ControlPlane } from '#api/control-plane.ts'
import type { Kind } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'

/** A part of a manifest, as far as cases change it. */
export interface PoolSpec {
  version: string
  kubeVersion: string
  endpoint?: string
  podCIDR?: string[]
  serviceCIDR?: string[]
  configRef?: { name: string; key: string }
  metalSpec: {
    machines: {
      address?: string
      uuid?: string
      configPatches?: object[]
      additionalConfig?: object[]
    }[]
    machineSpec?: { configPatches?: object[]; additionalConfig?: object[]; installDisk?: string }
  }
}

/** A spec that is wrong: its title goes on after "a control plane with", or the like. */
export interface BadSpec {
  title: string
  /** Makes a good spec wrong. `at` gives the address of a machine by its number. */
  spoil: (spec: PoolSpec, at: (number: number) => string) => void
  reason: string
  /** What has to be changed, in the words of the condition. */
  says: readonly string[]
}

/** The parts of a cluster that can be wrong. */
export const PARTS = { controlPlane: ControlPlane, worker: Worker } satisfies Record<string, Kind>

const patched = (patch: object) => (spec: PoolSpec) => {
  spec.metalSpec.machineSpec = { configPatches: [{ machine: { env: { A: '1' } } }, patch] }
}

const CORRECT = 'Correct it, or take it out.'

/** Wrong for control planes and for workers. */
export const BAD_POOLS: readonly BadSpec[] = [
  {
    title: 'a patch that does not parse',
    spoil: patched({ machine: { network: 'eth0' } }),
    reason: 'ConfigInvalid',
    says: ['spec.metalSpec.machineSpec.configPatches[1]: ', 'eth0', CORRECT],
  },
  {
    title: 'a patch that begins with a word that Talos does not know',
    spoil: patched({ machin: {} }),
    reason: 'ConfigInvalid',
    says: ['configPatches[1]: ', 'a patch begins with `machine` or `cluster`', CORRECT],
  },
  {
    title: 'a patch with a field that Talos does not have',
    spoil: patched({ machine: { nope: true } }),
    reason: 'ConfigInvalid',
    says: ['spec.metalSpec.machineSpec.configPatches[1]: ', 'nope', CORRECT],
  },
  {
    title: 'a patch of one machine that is of a kind that Talos does not have',
    spoil: ({ metalSpec }) => {
      metalSpec.machines = metalSpec.machines.map((machine) => ({
        ...machine,
        configPatches: [{ apiVersion: 'v1alpha1', kind: 'NoSuchConfig' }],
      }))
    },
    reason: 'ConfigInvalid',
    says: ['spec.metalSpec.machines[0].configPatches[0]: ', '"NoSuchConfig"', CORRECT],
  },
  {
    title: 'a patch that does not apply, because Talos would refuse the whole',
    spoil: patched({ machine: { nodeTaints: { a: 'b:Never' } } }),
    reason: 'ConfigInvalid',
    says: [
      'spec.metalSpec.machines[0]: ',
      'Never',
      'Correct what the spec, or a patch in it, says',
    ],
  },
  {
    title: 'a patch that makes its machines something else',
    spoil: patched({ machine: { type: 'init' } }),
    reason: 'ConfigInvalid',
    says: ['machine.type: a patch changes it', 'Correct what the spec, or a patch in it, says'],
  },
  {
    title: 'a document that is none',
    spoil: (spec) => {
      spec.metalSpec.machineSpec = { additionalConfig: [{ volumes: 1 }] }
    },
    reason: 'ConfigInvalid',
    says: ['spec.metalSpec.machineSpec.additionalConfig[0]: missing kind', CORRECT],
  },
  {
    title: 'a configRef that leads nowhere',
    spoil: (spec) => {
      spec.configRef = { name: 'nowhere', key: 'talos.yaml' }
    },
    reason: 'ConfigRefMissing',
    says: [
      'spec.configRef',
      'ConfigMap nowhere',
      'key talos.yaml',
      'Create it, or take configRef out',
    ],
  },
  {
    title: 'a version of Talos that is not served',
    spoil: (spec) => {
      spec.version = 'v1.99.0'
    },
    reason: 'TalosVersionUnsupported',
    says: ['spec.version: Talos 1.99.0 is not served', 'v1.5 to v1.14', 'Choose one of these'],
  },
  {
    title: 'a version of Kubernetes that its Talos does not run',
    spoil: (spec) => {
      spec.kubeVersion = 'v1.20.0'
    },
    reason: 'KubernetesVersionUnsupported',
    says: ['spec.version and spec.kubeVersion', '1.20.0 is too old', 'Change one of the two'],
  },
  {
    title: 'an address that no machine has',
    spoil: ({ metalSpec }) => {
      metalSpec.machines.push({ address: '0.0.0.0' })
    },
    reason: 'AddressInvalid',
    says: ['spec.metalSpec.machines[1]: "0.0.0.0"', 'Write the IP address of the machine'],
  },
  {
    title: 'the same address twice',
    spoil: ({ metalSpec }) => {
      metalSpec.machines.push(...structuredClone(metalSpec.machines))
    },
    reason: 'AddressDuplicate',
    says: ['spec.metalSpec.machines[0] and spec.metalSpec.machines[1]', 'Remove one of them'],
  },
  {
    title: 'the same UUID twice',
    spoil: ({ metalSpec }, address) => {
      const uuid = '00000000-0000-4000-8000-00000000000a'
      metalSpec.machines.push({ address: address(8), uuid }, { address: address(9), uuid })
    },
    reason: 'UuidDuplicate',
    says: ['spec.metalSpec.machines[1] and spec.metalSpec.machines[2]', 'Remove one of them'],
  },
]

const ranges =
  (podCIDR: string[], serviceCIDR: string[] = []) =>
  (spec: PoolSpec) => {
    spec.podCIDR = podCIDR
    if (serviceCIDR.length > 0) spec.serviceCIDR = serviceCIDR
  }

const at = (endpoint: string) => (spec: PoolSpec) => {
  spec.endpoint = endpoint
}

/** Wrong for control planes alone. */
export const BAD_CONTROL_PLANES: readonly BadSpec[] = [
  {
    title: 'a machine that is also a worker',
    spoil: ({ metalSpec }, address) => {
      metalSpec.machines.push({ address: address(2) })
    },
    reason: 'AddressDuplicate',
    says: ['spec.metalSpec.machines[1]', 'machines[0] of TalosWorker one', 'Remove one of them'],
  },
  {
    title: 'an endpoint without TLS',
    spoil: at('http://192.0.2.10:6443'),
    reason: 'EndpointInvalid',
    says: ['spec.endpoint', 'try: "https://192.0.2.10:6443"'],
  },
  {
    title: 'an endpoint at an address that is none',
    spoil: at('https://999.0.0.1:6443'),
    reason: 'EndpointInvalid',
    says: ['spec.endpoint: 999.0.0.1 is no IP address', 'like https://192.0.2.10:6443'],
  },
  {
    title: 'an endpoint at a port that is none',
    spoil: at('https://192.0.2.10:99999'),
    reason: 'EndpointInvalid',
    says: ['spec.endpoint', 'between 1 and 65535', 'like https://192.0.2.10:6443'],
  },
  {
    title: 'a range of pods that is none',
    spoil: ranges(['10.999.0.0/16']),
    reason: 'CidrInvalid',
    says: ['spec.podCIDR[0]: 10.999.0.0/16 is no address range', 'Write it like 10.244.0.0/16'],
  },
  {
    title: 'a range of Services with bits after its prefix',
    spoil: ranges(['10.244.0.0/16'], ['10.96.0.1/12']),
    reason: 'CidrInvalid',
    says: ['spec.serviceCIDR[0]', 'Write 10.96.0.0/12'],
  },
  {
    title: 'ranges of pods and Services that overlap',
    spoil: ranges(['10.0.0.0/8'], ['10.96.0.0/12']),
    reason: 'CidrOverlap',
    says: ['spec.podCIDR[0] (10.0.0.0/8)', 'spec.serviceCIDR[0] (10.96.0.0/12)', 'do not overlap'],
  },
  {
    title: 'a range of pods that overlaps with what Talos gives Services',
    spoil: ranges(['10.96.0.0/16']),
    reason: 'CidrOverlap',
    says: ['10.96.0.0/16', 'the range of Services (10.96.0.0/12)', 'do not overlap'],
  },
  {
    title: 'two ranges of one family',
    spoil: ranges(['10.244.0.0/16', '10.245.0.0/16']),
    reason: 'CidrInvalid',
    says: ['spec.podCIDR[0] and spec.podCIDR[1] are both IPv4', 'Remove one of them'],
  },
  {
    title: 'pods of one family and Services of the other',
    spoil: ranges(['fd00:10:244::/56'], ['10.96.0.0/12']),
    reason: 'CidrInvalid',
    says: ['no Service would lead to a pod', 'Set spec.podCIDR and spec.serviceCIDR'],
  },
  {
    title: 'machines within the range of pods',
    spoil: ranges(['127.80.0.0/16']),
    reason: 'AddressInClusterNetwork',
    says: ['spec.metalSpec.machines[0]: 127.80.5.1', 'Choose another range', 'spec.podCIDR'],
  },
]

/** Wrong for workers alone. */
export const BAD_WORKERS: readonly BadSpec[] = [
  {
    title: 'a machine of their control plane',
    spoil: ({ metalSpec }, address) => {
      metalSpec.machines.push({ address: address(1) })
    },
    reason: 'AddressDuplicate',
    says: [
      'machines[0] of TalosControlPlane one',
      'spec.metalSpec.machines[1]',
      'Remove one of them',
    ],
  },
  {
    title: 'a Kubernetes that is ahead of their control plane',
    spoil: (spec) => {
      spec.kubeVersion = 'v1.35.1'
    },
    reason: 'WorkerAheadOfControlPlane',
    says: ['spec.kubeVersion is v1.35.1', 'TalosControlPlane one', 'Set it to v1.35.0'],
  },
]

/** What the API does not even take, with the field that it names. */
export const REFUSED: readonly (Pick<BadSpec, 'title' | 'spoil'> & { field: string })[] = [
  {
    title: 'an endpoint that is no URL',
    spoil: at('192.0.2.10:6443'),
    field: 'spec.controlPlane.endpoint: Invalid value: "192.0.2.10:6443"',
  },
  {
    title: 'a range that is no CIDR',
    spoil: ranges(['10.244.0.0']),
    field: 'spec.controlPlane.podCIDR[0]: Invalid value: "10.244.0.0"',
  },
  {
    title: 'more ranges than there can be',
    spoil: ranges(['10.1.0.0/16', '10.2.0.0/16', '10.3.0.0/16', '10.4.0.0/16', '10.5.0.0/16']),
    field: 'spec.controlPlane.podCIDR: Too many: 5: must have at most 4 items',
  },
  {
    title: 'a name where an address belongs',
    spoil: ({ metalSpec }) => {
      metalSpec.machines = [{ address: 'cp-1.example.org' }]
    },
    field: 'spec.controlPlane.metalSpec.machines[0].address: Invalid value: "cp-1.example.org"',
  },
  {
    title: 'a control plane without machines',
    spoil: ({ metalSpec }) => {
      metalSpec.machines = []
    },
    field: "spec.controlPlane: Invalid value: Machines is required when mode is 'metal'",
  },
  {
    title: 'a version that is none',
    spoil: (spec) => {
      spec.version = '1.13'
    },
    field: 'spec.controlPlane.version: Invalid value: "1.13"',
  },
  {
    title: 'a disk that is no path',
    spoil: (spec) => {
      spec.metalSpec.machineSpec = { installDisk: 'sda' }
    },
    field: 'spec.controlPlane.metalSpec.machineSpec.installDisk: Invalid value: "sda"',
  },
]
