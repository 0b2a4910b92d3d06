import { ApiFailure } from '#apiserver/failure.ts'
import { type Fields, fieldsAt } from '#apiserver/objects.ts'
import { sleep } from '#base/clock.ts'
import { type Id, metadataOf, specOf } from './objects.ts'
import type { PodView } from './pods/pod-view.ts'
import type { Scene } from './scene.ts'

const CORDONED = 'talos.dev/cordoned'
const EVICTION_GRACE_SECONDS = 60
const TRY_AGAIN_MS = 5_000
const LOOK_AGAIN_MS = 3_000

const nodeId = (name: string): Id => ({ plural: 'nodes', namespace: '', name })

/** Lets no more pods come to a node, and marks that it was Talos who did it; a node that somebody cordoned before is left as it is. */
export const cordon = ({ objects }: Scene, name: string): Promise<void> =>
  objects.change(nodeId(name), (node) => {
    if (specOf(node).unschedulable === true) return undefined
    const metadata = metadataOf(node)
    const annotations = { ...fieldsAt(metadata, 'annotations'), [CORDONED]: 'true' }
    return {
      ...node,
      metadata: { ...metadata, annotations },
      spec: { ...specOf(node), unschedulable: true },
    }
  })

export const uncordon = ({ objects }: Scene, name: string): Promise<void> =>
  objects.change(nodeId(name), (node) => {
    const { [CORDONED]: mark, ...annotations } = fieldsAt(metadataOf(node), 'annotations')
    if (mark === undefined) return undefined
    const { unschedulable: _, ...spec }: Fields = specOf(node)
    return { ...node, metadata: { ...metadataOf(node), annotations }, spec }
  })

/** Evicts what Talos evicts: pods that something controls, but for daemons. Resolves when they are gone, or the time is up. */
export async function drain(scene: Scene, name: string, timeoutMs: number): Promise<void> {
  const endsAtMs = scene.clock.monotonicMs() + timeoutMs
  const pods = scene.pods
    .on(name)
    .filter(({ isMirror, ownerKind }) => !isMirror && ownerKind && ownerKind !== 'DaemonSet')
  await Promise.all(pods.map((pod) => evict(scene, pod, endsAtMs)))
}

async function evict(scene: Scene, pod: PodView, endsAtMs: number): Promise<void> {
  let isEvicted = false
  while (isThere(scene, pod)) {
    if (!isEvicted) isEvicted = await tryToEvict(scene, pod)
    const leftMs = endsAtMs - scene.clock.monotonicMs()
    if (leftMs <= 0) return
    if (isThere(scene, pod)) {
      await sleep(scene.clock, Math.min(leftMs, isEvicted ? LOOK_AGAIN_MS : TRY_AGAIN_MS))
    }
  }
}

const isThere = ({ pods }: Scene, { key, uid }: PodView): boolean => pods.get(key)?.uid === uid

/** Whether it was let go. A budget may allow it later. */
async function tryToEvict({ objects }: Scene, pod: PodView): Promise<boolean> {
  try {
    await objects.evict({ plural: 'pods', ...pod }, EVICTION_GRACE_SECONDS)
    return true
  } catch (error) {
    if (error instanceof ApiFailure && (error.code === 429 || error.code === 404)) return false
    throw error
  }
}
