import type { Scene } from '#simulator/kubernetes/scene.ts'
import { bootstrapObjects } from './manifests.ts'
import { ownEndpoints } from './own-endpoints.ts'

/**
 * Creates what Talos puts into a new cluster, where it is missing; what is there stays as it is, as with Talos, which
 * changes such objects only in an upgrade of Kubernetes.
 */
export async function createBootstrapObjects(scene: Scene): Promise<void> {
  const { facts, objects, controlPlanes } = scene
  const [first] = controlPlanes.serving()
  const made = first ? bootstrapObjects({ facts, images: first.addOnImages }) : []
  for (const { id, fields } of made) await objects.create(id, fields)
  await ownEndpoints(scene)
}
