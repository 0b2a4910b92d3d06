import { type Fields, fieldsAt } from '#apiserver/objects.ts'
import {
  type Id,
  idIn,
  isGoing,
  keyOfId,
  keysOf,
  metadataOf,
  specOf,
  uidOf,
} from '#simulator/kubernetes/objects.ts'
import type { PodView } from '#simulator/kubernetes/pods/pod-view.ts'
import type { Routine } from '#simulator/kubernetes/routine.ts'
import type { Scene } from '#simulator/kubernetes/scene.ts'
import { ownerReference, podOf, unlessZero } from './template.ts'

const SETS = keysOf('replicasets')

/** Keeps as many pods as a ReplicaSet wants. */
export const replicaSetRoutine = (scene: Scene): Routine => ({
  name: 'replicasets',
  *touchedBy(change) {
    if (change.key.startsWith(SETS)) yield change.key
    const pod = scene.pods.touchedBy(change)
    if (pod?.ownerKind === 'ReplicaSet') {
      yield keyOfId({ plural: 'replicasets', namespace: pod.namespace, name: pod.ownerName })
    }
  },
  async look(key) {
    const id = idIn('replicasets', key)
    const set = scene.objects.read(id)
    if (!set || isGoing(set)) return undefined
    const pods = activePods(scene, uidOf(set))
    const missing = Number(specOf(set).replicas ?? 0) - pods.length
    for (let made = 0; made < missing; made++) await createPod(scene, id, set)
    for (const pod of pods.toSorted(leastWanted).slice(0, Math.max(0, -missing))) {
      await scene.objects.remove({ plural: 'pods', ...pod })
    }
    await scene.objects.tell(id, (copy) => statusFor(scene, copy))
    return undefined
  },
})

/** The pods of an owner that count: those that have ended, or are about to, do not. */
export const activePods = ({ pods }: Scene, ownerUid: string): PodView[] =>
  pods.of(ownerUid).filter(({ isGoing: going, hasEnded }) => !going && !hasEnded)

function createPod({ objects }: Scene, { namespace, name }: Id, set: Fields): Promise<void> {
  const owner = ownerReference('apps/v1', 'ReplicaSet', set)
  const pod = podOf(fieldsAt(specOf(set), 'template'), { owner })
  const metadata = { ...pod.metadata, generateName: `${name}-` }
  return objects.create({ plural: 'pods', namespace, name: '' }, { ...pod, metadata })
}

/** Those that run nowhere go first, then those that are not ready, then the youngest. */
function leastWanted(one: PodView, other: PodView): number {
  const rank = (pod: PodView) => Number(pod.node !== '') + Number(pod.isReady)
  return rank(one) - rank(other) || (one.createdAt < other.createdAt ? 1 : -1)
}

function statusFor(scene: Scene, set: Fields): Fields {
  const pods = activePods(scene, uidOf(set))
  const ready = pods.filter(({ isReady }) => isReady).length
  return {
    replicas: pods.length,
    fullyLabeledReplicas: unlessZero(pods.length),
    readyReplicas: unlessZero(ready),
    availableReplicas: unlessZero(ready),
    observedGeneration: metadataOf(set).generation,
  }
}
