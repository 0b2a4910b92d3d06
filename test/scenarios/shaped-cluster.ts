import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { apiVersionOf } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { PROVIDER } from './a-provider.ts'
import { QUICK, type Versions } from './manifests.ts'
import { conditionOf } from './verdicts.ts'
import type { World } from './world.ts'

/** The one cluster by its shape that a world has. */
export const SHAPED = 'one'

interface Shape {
  controlPlanes: number
  workers: number
  versions?: Versions
  talosConfig?: object
  /** Where it is reached, if not at the first machine of all. */
  at?: string
}

const machineTemplate = { spec: { provider: PROVIDER } }

/** A cluster of so many Machines. */
export const shaped = (world: World, { controlPlanes, workers, ...shape }: Shape) => ({
  apiVersion: apiVersionOf(KubernetesCluster),
  kind: KubernetesCluster.kind,
  metadata: { name: SHAPED },
  spec: {
    kubernetesVersion: (shape.versions ?? QUICK).kubernetes,
    talosVersion: (shape.versions ?? QUICK).talos,
    clusterEndpoint: `https://${shape.at ?? world.address(1)}:6443`,
    controlPlane: { replicas: controlPlanes, machineTemplate },
    workers: [{ name: 'pool', replicas: workers, machineTemplate }],
    ...(shape.talosConfig && { talosConfig: shape.talosConfig }),
  },
})

/** The names of its Machines. */
export const machineNames = async ({ objects }: World): Promise<string[]> =>
  (await objects.list(ProvidedMachine)).map(({ metadata }) => metadata.name)

/** Whether it is as its spec says now, with so many Machines. */
export async function isShapedReady(world: World, machines: number): Promise<boolean> {
  const cluster = await world.objects.find(KubernetesCluster, SHAPED)
  const ready = await conditionOf(world, [KubernetesCluster, SHAPED], 'Ready')
  const { observedGeneration, phase } = cluster?.status ?? {}
  return (
    ready?.status === 'True' &&
    phase === 'Running' &&
    observedGeneration === cluster?.metadata.generation &&
    (await machineNames(world)).length === machines
  )
}
