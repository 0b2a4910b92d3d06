import type { ControlPlane } from '#api/control-plane.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { CLUSTER_NAME, CONTRACT, MADE_AS } from '#api/labels.ts'
import { apiVersionOf } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import type { Worker } from '#api/worker.ts'
import { fingerprint } from '#base/fingerprint.ts'
import type { MachineEntry } from '#engine/pool.ts'
import { ownedBy } from '#runtime/controller.ts'
import type { Named } from '#runtime/writer.ts'
import { isGone } from './entries.ts'
import { addressPath } from './machine-address.ts'
import type { Shape } from './shape.ts'
import type { World } from './world.ts'

// From this form on, the host name is in a document of its own, and kernel arguments are those of the image.
const DOCUMENTS_SINCE = 12

/** What parts of the engine are made from. */
export interface Making {
  cluster: KubernetesCluster
  shape: Shape
  world: Pick<World, 'machines' | 'talos' | 'secrets'>
}

/** The control plane with these Machines. */
export function controlPlaneDraft(
  making: Making,
  machines: readonly string[],
): Named<typeof ControlPlane> {
  const { shape, world } = making
  const { controlPlane } = world.talos
  const secrets = world.secrets.is === 'wrong' ? undefined : world.secrets.name
  const spec = {
    ...{
      version: shape.talosVersion,
      kubeVersion: shape.kubernetesVersion,
      mode: 'metal' as const,
    },
    ...{ endpoint: shape.endpoint, clusterDomain: shape.dnsDomain },
    ...{ podCIDR: shape.podSubnets, serviceCIDR: shape.serviceSubnets },
    ...(secrets !== undefined && { secretsRef: { name: secrets } }),
    metalSpec: metalSpecOf(making, machines, controlPlane),
  }
  return { metadata: metadataOf(making, controlPlane?.metadata.name ?? shape.name, spec), spec }
}

/** The pool of a group with these Machines. */
export function workerDraft(
  making: Making,
  { name, machines }: { name: string; machines: readonly string[] },
): Named<typeof Worker> {
  const { shape, world } = making
  const pool = world.talos.workers.find(({ metadata }) => metadata.name === name)
  const spec = {
    ...{
      version: shape.talosVersion,
      kubeVersion: shape.kubernetesVersion,
      mode: 'metal' as const,
    },
    controlPlaneRef: { name: world.talos.controlPlane?.metadata.name ?? shape.name },
    metalSpec: metalSpecOf(making, machines, pool),
  }
  return { metadata: metadataOf(making, name, spec), spec }
}

const metadataOf = ({ cluster, shape }: Making, name: string, spec: object) => ({
  name,
  labels: { [CLUSTER_NAME]: shape.name },
  annotations: { [MADE_AS]: fingerprint(spec) },
  ownerReferences: [ownedBy(KubernetesCluster, cluster)],
})

function metalSpecOf(
  making: Making,
  machines: readonly string[],
  part: ControlPlane | Worker | undefined,
) {
  const { install } = making.shape
  const patches = patchesFor(making)
  return {
    machines: machines.flatMap((name) => entryFor(making, name, part) ?? []),
    machineSpec: {
      ...{ installDisk: install.disk, wipe: install.wipe },
      ...(install.image !== undefined && { image: install.image }),
      ...(patches.length > 0 && { configPatches: patches }),
    },
  }
}

/** What Talos has fields for and the engine's kinds have not. */
function patchesFor(making: Making): Record<string, unknown>[] {
  const { install, certSANs, kubelet } = making.shape
  const { bootloader, extraKernelArgs } = install
  const { image, extraArgs } = kubelet
  const machine = {
    ...(certSANs.length > 0 && { certSANs }),
    ...((image !== undefined || Object.keys(extraArgs).length > 0) && {
      kubelet: {
        ...(image !== undefined && { image }),
        ...(Object.keys(extraArgs).length > 0 && { extraArgs }),
      },
    }),
    ...((!bootloader || extraKernelArgs.length > 0) && {
      install: {
        ...(!bootloader && { bootloader }),
        ...(extraKernelArgs.length > 0 && kernelArgsPatch(making, extraKernelArgs)),
      },
    }),
  }
  return Object.keys(machine).length > 0 ? [{ machine }] : []
}

/**
 * An entry that is there stays as it is: where the address is found and how the name is set are decided once. Only the uid
 * follows a Machine that was put back from a backup.
 */
function entryFor(
  making: Making,
  name: string,
  part: ControlPlane | Worker | undefined,
): MachineEntry | undefined {
  const machine = making.world.machines.find(({ metadata }) => metadata.name === name)
  const known = part?.spec?.metalSpec?.machines?.find((entry) => entry.machineRef?.name === name)
  if (known) return machine && !isGone(known, machine) ? following(known, machine) : known
  const fieldPath = machine && addressPath(machine)
  if (!machine || fieldPath === undefined) return undefined
  const { uid = '' } = machine.metadata
  return {
    machineRef: {
      ...{ apiVersion: apiVersionOf(ProvidedMachine), kind: ProvidedMachine.kind },
      ...{ name, uid, fieldPath },
    },
    configPatches: [hostnamePatch(name, formOf(making))],
  }
}

const following = (
  { machineRef, ...entry }: MachineEntry,
  { metadata: { uid = '' } }: ProvidedMachine,
): MachineEntry => ({ ...entry, machineRef: { ...machineRef, uid } })

/** A machine and its node are called as its Machine. */
function hostnamePatch(hostname: string, form: number): Record<string, unknown> {
  return form >= DOCUMENTS_SINCE
    ? { apiVersion: 'v1alpha1', kind: 'HostnameConfig', auto: 'off', hostname }
    : { machine: { network: { hostname } } }
}

/** Talos takes further arguments only where those of the image are not taken as they are. */
const kernelArgsPatch = (making: Making, extraKernelArgs: readonly string[]) => ({
  extraKernelArgs,
  ...(formOf(making) >= DOCUMENTS_SINCE && { grubUseUKICmdline: false }),
})

/** The form of the cluster's configurations, which stays that of the version that it was made with. */
function formOf({ shape, world }: Making): number {
  const contract = world.talos.controlPlane?.metadata.annotations?.[CONTRACT]
  const [, minor] = /^v?\d+\.(\d+)/.exec(contract ?? shape.talosVersion) ?? []
  return Number(minor)
}
