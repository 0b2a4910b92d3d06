import { ControlPlane } from '#api/control-plane.ts'
import { apiVersionOf, type Kind } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import type { World } from './world.ts'

const manifest = <Spec>(kind: Kind, name: string, spec: Spec) => ({
  apiVersion: apiVersionOf(kind),
  kind: kind.kind,
  metadata: { name, namespace: 'default', annotations: {} },
  spec,
})

/** A TalosControlPlane of its own, on machines of these numbers. */
export const controlPlaneIn = (world: World, name: string, machines: readonly number[]) =>
  manifest(ControlPlane, name, world.cluster(name, machines, []).spec.controlPlane)

/** A TalosWorker of its own, on machines of these numbers, for the control plane that is named. */
export function workerIn(
  world: World,
  { name, joins, machines }: { name: string; joins: string; machines: readonly number[] },
) {
  const { worker } = world.cluster(joins, [1], machines).spec
  return manifest(Worker, name, { ...worker, controlPlaneRef: { name: joins } })
}

/** A part whose machines are watched for a moment after a change: half a minute would be most of such a life. */
export const watchedBriefly = <Part extends { spec: object }>(part: Part): Part => ({
  ...part,
  spec: { ...part.spec, rolloutStrategy: { minReadySeconds: 2 } },
})
