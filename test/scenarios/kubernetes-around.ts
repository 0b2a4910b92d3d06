import { ControlPlane } from '#api/control-plane.ts'
import { MACHINE_UUID } from '#api/labels.ts'
import type { KubeObject } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { kubernetesRecord, type Stage } from '#engine/kubernetes-record.ts'
import type { ComponentVersions } from '#machineconfig/versions/kubernetes-components.ts'
import { versionsIn } from '#machineconfig/versions/kubernetes-images.ts'
import type { Fleet } from '#simulator/fleet/fleet.ts'
import { turnHeldBy } from './turns-around.ts'

/** What a cluster has of Kubernetes at one moment, as its machines themselves are. */
export interface KubernetesAround {
  /** How far an upgrade of it has come, as it is written down. */
  readonly stage: Stage | undefined
  /** Those of its machines that are on. */
  readonly machines: readonly KubernetesOnMachine[]
}

interface KubernetesOnMachine {
  readonly address: string
  readonly isOwn: boolean
  readonly isControlPlane: boolean
  /** By the configuration that it lives by. */
  readonly versions: Partial<ComponentVersions>
  /** Whether a pod of its control plane was ended, and what follows it does not run yet. */
  readonly isChanging: boolean
  /** Whether another Talos is installed on it than runs. */
  readonly isInstalling: boolean
  /** The number of its turn, if it has one: what was begun in it may not be over before that is. */
  readonly turn: number | undefined
}

/** The Kubernetes of the cluster that a machine belongs to. */
export function kubernetesAround(
  fleet: Fleet,
  own: string,
  { claimed, all }: { claimed: readonly KubeObject[]; all: readonly KubeObject[] },
): KubernetesAround | undefined {
  const cluster = fleet.clusters.find(({ machines }) =>
    machines.some(({ address }) => address === own),
  )
  if (!cluster) return undefined
  const [half] = cluster.halves
  return {
    stage: stageOf(claimed, all),
    machines: cluster.machines.flatMap(({ address }) => {
      const machine = fleet.machine(address)
      if (!machine?.config) return []
      const pods = half?.kubernetes.staticPods(machine.hostname) ?? []
      return {
        ...{ address, isOwn: address === own, isControlPlane: machine.type === 'controlplane' },
        versions: versionsIn(machine.config),
        isChanging: pods.some(({ status }) => isWaiting(status)),
        isInstalling: (machine.installedVersion ?? machine.talosVersion) !== machine.talosVersion,
        turn: turnOf(machine.hardware.uuid, all),
      }
    }),
  }
}

function turnOf(uuid: string, all: readonly KubeObject[]): number | undefined {
  const object = all.find(({ metadata }) => metadata.annotations?.[MACHINE_UUID] === uuid)
  return object && turnHeldBy(object, all)
}

const isWaiting = (status: object): boolean => {
  const containers: { state?: { waiting?: object } }[] = Object(status).containerStatuses ?? []
  return containers.some(({ state }) => state?.waiting !== undefined)
}

function stageOf([machine]: readonly KubeObject[], all: readonly KubeObject[]): Stage | undefined {
  const { workerRef, controlPlaneRef } = Object(machine).spec ?? {}
  const pool = all.find(
    ({ kind, metadata }) => kind === Worker.kind && metadata.name === workerRef?.name,
  )
  const name = Object(pool).spec?.controlPlaneRef?.name ?? controlPlaneRef?.name
  const found = all.find(
    ({ kind, metadata }) => kind === ControlPlane.kind && metadata.name === name,
  )
  return found && kubernetesRecord(found as ControlPlane)?.stage // of that kind
}
