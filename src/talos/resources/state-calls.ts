import type { Secret } from '#base/secret.ts'
import type { CallOptions } from '#talos/caller.ts'
import { MachineError } from '#talos/outcome.ts'
import * as cluster from './cluster-kinds.ts'
import * as machine from './machine-kinds.ts'
import type { ResourceCalls } from './resource-calls.ts'

/** How far a machine has come. */
export interface MachineState {
  /** `booting`, `installing`, `maintenance`, `running`, `rebooting`, `shutting down`, `resetting`, `upgrading` … */
  stage: string
  isReady: boolean
  unmetConditions: { name: string; reason: string }[]
}

/** A configuration that the machine has. */
export interface FoundConfiguration {
  text: Secret<string>
  /** Of the resource: another one after each change. */
  version: string
}

/** Which of a machine's configurations: the one in force, or the one of the next boot (since v1.10). */
export type ConfigurationId = 'v1alpha1' | 'persistent'

/** What the operator wants to know of the machine itself. Undefined: the machine has no such thing. */
export const stateCalls = (resources: ResourceCalls) => ({
  async status(options?: CallOptions): Promise<MachineState | undefined> {
    const found = await resources.get(machine.machineStatuses, 'machine', options)
    if (!found) return undefined
    const { stage, status } = found.spec
    return { stage, isReady: status.ready, unmetConditions: status.unmetConditions ?? [] }
  },

  async configuration(
    id: ConfigurationId = 'v1alpha1',
    options?: CallOptions,
  ): Promise<FoundConfiguration | undefined> {
    const found = await resources.get(machine.machineConfigs, id, options)
    return found && { text: found.spec, version: found.version }
  },

  /** `controlplane`, `worker` … */
  machineType: async (options?: CallOptions) =>
    (await resources.get(machine.machineTypes, 'machine-type', options))?.spec,

  /** Since v1.10, in maintenance mode too. */
  version: async (options?: CallOptions) =>
    (await resources.get(machine.versions, 'version', options))?.spec.version,

  extensions: async (options?: CallOptions) =>
    (await resources.list(machine.extensionStatuses, options))
      .map(({ spec }) => spec.metadata)
      .filter(({ name }) => name !== SCHEMATIC),

  /** The id of the Image Factory's schematic that the image was made from. */
  schematic: async (options?: CallOptions) =>
    (await resources.list(machine.extensionStatuses, options)).find(
      ({ spec }) => spec.metadata.name === SCHEMATIC,
    )?.spec.metadata.version,

  /** Its `uuid` is who the machine is. */
  systemInformation: async (options?: CallOptions) =>
    (await resources.get(machine.systemInformations, 'systeminformation', options))?.spec,

  disks: async (options?: CallOptions) =>
    (await resources.list(machine.disks, options)).map(({ id, spec }) => ({ id, ...spec })),

  systemDisk: async (options?: CallOptions) =>
    (await resources.get(machine.systemDisks, 'system-disk', options))?.spec,

  /** One that is up. */
  service: async (id: string, options?: CallOptions) =>
    (await resources.get(machine.services, id, options))?.spec,

  diagnostics: async (options?: CallOptions) =>
    (await resources.list(machine.diagnostics, options)).map(({ id, spec }) => ({ id, ...spec })),

  timeStatus: async (options?: CallOptions) =>
    (await resources.get(machine.timeStatuses, 'node', options))?.spec,

  securityState: async (options?: CallOptions) =>
    (await resources.get(machine.securityStates, 'securitystate', options))?.spec,

  platformMetadata: async (options?: CallOptions) =>
    (await resources.get(machine.platformMetadatas, 'platformmetadata', options))?.spec,

  unattendedInstallStatus: async (options?: CallOptions) =>
    (await resources.get(machine.unattendedInstallStatuses, 'unattended-install', options))?.spec,

  /**
   * Since v1.14: whether it is about to restart by itself, as after an unattended installation. It says nothing of
   * configurations that wait for a boot: Talos keeps no record of these.
   */
  isRebootRequested: async (options?: CallOptions) =>
    (await resources.get(machine.rebootRequests, 'reboot-request', options)) !== undefined,

  /** What is kept in META under a number. */
  metaKey: async (key: number, options?: CallOptions) => {
    const id = `0x${key.toString(16).padStart(2, '0')}`
    return (await resources.get(machine.metaKeys, id, options))?.spec.value
  },
})

const SCHEMATIC = 'schematic'

/** What the operator wants to know of a machine's part in its cluster. */
export const clusterStateCalls = (resources: ResourceCalls) => ({
  members: async (options?: CallOptions) =>
    (await resources.list(cluster.members, options)).map(({ id, spec }) => ({ id, ...spec })),

  /** With the lengths of their prefixes. */
  nodeAddresses: async (id = 'current', options?: CallOptions) =>
    (await resources.get(cluster.nodeAddresses, id, options))?.spec.addresses ?? [],

  hostname: async (options?: CallOptions) =>
    (await resources.get(cluster.hostnameStatuses, 'hostname', options))?.spec,

  /** Of this machine's own etcd member. */
  async etcdMemberId(options?: CallOptions): Promise<bigint | undefined> {
    const found = await resources.get(cluster.etcdMembers, 'local', options)
    return found && BigInt(`0x${found.spec.memberID}`)
  },

  nodename: async (options?: CallOptions) =>
    (await resources.get(cluster.nodenames, 'nodename', options))?.spec.nodename,

  nodeStatus: async (nodename: string, options?: CallOptions) =>
    (await resources.get(cluster.nodeStatuses, nodename, options))?.spec,

  staticPods: async (options?: CallOptions) =>
    (await resources.list(cluster.staticPodStatuses, options)).map(({ id, spec }) => ({
      id,
      ...spec,
    })),

  /** What this control plane machine should run. Its pod is annotated with the `version` that it runs. */
  async component(name: Component, options?: CallOptions) {
    const found = await resources.get(cluster.components[name], name, options)
    return found && { image: found.spec.image, version: found.version }
  },

  /**
   * What this control plane machine would have in the cluster, in the order in which it puts it there. There are
   * Secrets among it: never show it. More objects than anybody has are `refused`.
   */
  async manifests(options?: CallOptions): Promise<Manifest[]> {
    const found = (await resources.list(cluster.manifests, options))
      .map(({ id, spec }) => ({ id, objects: spec ?? [] }))
      .sort((one, other) => (one.id < other.id ? -1 : 1))
    const count = found.reduce((sum, { objects }) => sum + objects.length, 0)
    if (count <= MOST_OBJECTS) return found
    throw new MachineError({
      message: `its manifests have ${count} objects: more than ${MOST_OBJECTS} are not read`,
      outcome: 'refused',
    })
  },
})

const MOST_OBJECTS = 500

/** Objects that belong together: `05-flannel`. */
export interface Manifest {
  readonly id: string
  readonly objects: readonly cluster.ManifestObject[]
}

/** A part of the Kubernetes control plane. */
export type Component = keyof typeof cluster.components
