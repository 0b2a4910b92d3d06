import { type Fields, fieldsAt, isFields, listAt } from '#apiserver/objects.ts'
import {
  type Id,
  idIn,
  isGoing,
  keyOfId,
  keysOf,
  metadataOf,
  nameOf,
  specOf,
  statusOf,
  uidOf,
} from '#simulator/kubernetes/objects.ts'
import type { PodView } from '#simulator/kubernetes/pods/pod-view.ts'
import type { Routine } from '#simulator/kubernetes/routine.ts'
import type { Scene } from '#simulator/kubernetes/scene.ts'
import { activePods } from './replica-set.ts'
import { ownerReference, podOf, templateHash, unlessZero } from './template.ts'

const SETS = keysOf('statefulsets')
const HASH = 'controller-revision-hash'

/** Keeps the pods of a StatefulSet, each with its number, one after the other. */
export const statefulSetRoutine = (scene: Scene): Routine => ({
  name: 'statefulsets',
  *touchedBy(change) {
    if (change.key.startsWith(SETS)) yield change.key
    const pod = scene.pods.touchedBy(change)
    if (pod?.ownerKind === 'StatefulSet') {
      yield keyOfId({ plural: 'statefulsets', namespace: pod.namespace, name: pod.ownerName })
    }
  },
  async look(key) {
    const id = idIn('statefulsets', key)
    const set = scene.objects.read(id)
    if (!set || isGoing(set)) return undefined
    const isComplete = await fill(scene, id, set)
    if (isComplete) await shrinkOrUpdate(scene, set)
    await scene.objects.tell(id, (copy) => statusFor(scene, copy))
    return undefined
  },
})

const replicasOf = (set: Fields): number => Number(specOf(set).replicas ?? 1)
const firstOf = (set: Fields): number => Number(fieldsAt(specOf(set), 'ordinals').start ?? 0)
const isParallel = (set: Fields): boolean => specOf(set).podManagementPolicy === 'Parallel'
const revisionOf = (set: Fields): string =>
  `${nameOf(set)}-${templateHash(fieldsAt(specOf(set), 'template'))}`
const numberOf = ({ name }: PodView): number => Number(name.slice(name.lastIndexOf('-') + 1))

/** Creates what is missing. Whether all are there, and ready. */
async function fill(scene: Scene, id: Id, set: Fields): Promise<boolean> {
  let isComplete = true
  for (let index = firstOf(set); index < firstOf(set) + replicasOf(set); index++) {
    const name = `${id.name}-${index}`
    const there = scene.pods.get(keyOfId({ plural: 'pods', namespace: id.namespace, name }))
    if (there?.hasEnded && !there.isGoing) {
      await scene.objects.remove({ plural: 'pods', ...there })
    } else if (!there) {
      await createPod(scene, { plural: 'pods', namespace: id.namespace, name }, { set, index })
    }
    if (there?.isReady && !there.isGoing) continue
    isComplete = false
    if (!isParallel(set)) break
  }
  return isComplete
}

async function createPod(
  { objects }: Scene,
  id: Id,
  { set, index }: { set: Fields; index: number },
): Promise<void> {
  const spec = specOf(set)
  const claims = listAt(spec, 'volumeClaimTemplates').filter(isFields)
  const volumes = []
  for (const claim of claims) {
    const claimName = `${nameOf(claim)}-${id.name}`
    volumes.push({ name: nameOf(claim), persistentVolumeClaim: { claimName } })
    await objects.create(
      { plural: 'persistentvolumeclaims', namespace: id.namespace, name: claimName },
      { metadata: { labels: fieldsAt(metadataOf(claim), 'labels') }, spec: specOf(claim) },
    )
  }
  const pod = podOf(fieldsAt(spec, 'template'), {
    owner: ownerReference('apps/v1', 'StatefulSet', set),
    labels: {
      'apps.kubernetes.io/pod-index': String(index),
      [HASH]: revisionOf(set),
      'statefulset.kubernetes.io/pod-name': id.name,
    },
  })
  await objects.create(id, {
    ...pod,
    spec: {
      ...pod.spec,
      hostname: id.name,
      subdomain: spec.serviceName,
      ...(volumes.length > 0 && { volumes: [...listAt(pod.spec, 'volumes'), ...volumes] }),
    },
  })
}

/** Takes the last one away that is too much, or of an older template. */
async function shrinkOrUpdate(scene: Scene, set: Fields): Promise<void> {
  const pods = scene.pods.of(uidOf(set)).toSorted((one, other) => numberOf(other) - numberOf(one))
  const end = firstOf(set) + replicasOf(set)
  const surplus = pods.filter((pod) => numberOf(pod) >= end)
  const outdated = surplus.length > 0 ? [] : outdatedOf(set, pods)
  const [last] = [...surplus, ...outdated]
  if (last && !last.isGoing) await scene.objects.remove({ plural: 'pods', ...last })
}

function outdatedOf(set: Fields, pods: readonly PodView[]): PodView[] {
  const strategy = fieldsAt(specOf(set), 'updateStrategy')
  if (strategy.type === 'OnDelete') return []
  const partition = Number(fieldsAt(strategy, 'rollingUpdate').partition ?? 0)
  const revision = revisionOf(set)
  return pods.filter((pod) => numberOf(pod) >= partition && pod.labels[HASH] !== revision)
}

function statusFor(scene: Scene, set: Fields): Fields {
  const pods = activePods(scene, uidOf(set))
  const revision = revisionOf(set)
  const ready = pods.filter(({ isReady }) => isReady).length
  const updated = pods.filter(({ labels }) => labels[HASH] === revision).length
  const before = statusOf(set).currentRevision
  const isDone = updated === replicasOf(set) && ready === updated && pods.length === updated
  const current = isDone || before === undefined ? revision : String(before)
  return {
    replicas: pods.length,
    readyReplicas: unlessZero(ready),
    availableReplicas: ready,
    currentReplicas: unlessZero(pods.filter(({ labels }) => labels[HASH] === current).length),
    updatedReplicas: unlessZero(updated),
    currentRevision: current,
    updateRevision: revision,
    collisionCount: 0,
    observedGeneration: metadataOf(set).generation,
  }
}
