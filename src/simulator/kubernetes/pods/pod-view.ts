import { type Fields, fieldsAt, isFields, listAt, textAt } from '#apiserver/objects.ts'
import { isGoing, metadataOf, specOf, statusOf, uidOf } from '#simulator/kubernetes/objects.ts'

/** What all who deal with pods have to know of one. */
export interface PodView {
  readonly key: string
  readonly namespace: string
  readonly name: string
  readonly uid: string
  /** Empty until it is bound to one. */
  readonly node: string
  readonly labels: Fields
  /** Of what controls it; empty if nothing does. */
  readonly ownerUid: string
  readonly ownerKind: string
  readonly ownerName: string
  readonly isReady: boolean
  /** It is being deleted. */
  readonly isGoing: boolean
  readonly hasEnded: boolean
  readonly hasSucceeded: boolean
  readonly isRunning: boolean
  /** It shows a static pod. */
  readonly isMirror: boolean
  readonly isOnHostNetwork: boolean
  readonly address: string
  readonly createdAt: string
}

export const MIRROR = 'kubernetes.io/config.mirror'

export function podViewOf(key: string, pod: Fields): PodView {
  const metadata = metadataOf(pod)
  const spec = specOf(pod)
  const status = statusOf(pod)
  const phase = textAt(status, 'phase') ?? 'Pending'
  const owner = controllerOf(pod)
  return {
    key,
    namespace: textAt(metadata, 'namespace') ?? '',
    name: textAt(metadata, 'name') ?? '',
    uid: uidOf(pod),
    node: textAt(spec, 'nodeName') ?? '',
    labels: fieldsAt(metadata, 'labels'),
    ownerUid: owner ? String(owner.uid) : '',
    ownerKind: owner ? String(owner.kind) : '',
    ownerName: owner ? String(owner.name) : '',
    isReady: conditionOf(pod, 'Ready')?.status === 'True',
    isGoing: isGoing(pod),
    hasEnded: phase === 'Succeeded' || phase === 'Failed',
    hasSucceeded: phase === 'Succeeded',
    isRunning: phase === 'Running',
    isMirror: fieldsAt(metadata, 'annotations')[MIRROR] !== undefined,
    isOnHostNetwork: spec.hostNetwork === true,
    address: textAt(status, 'podIP') ?? '',
    createdAt: String(metadata.creationTimestamp),
  }
}

/** The reference to what controls an object, if anything does. */
export const controllerOf = (object: Fields): Fields | undefined =>
  listAt(metadataOf(object), 'ownerReferences')
    .filter(isFields)
    .find(({ controller }) => controller === true)

export const conditionOf = (object: Fields, type: string): Fields | undefined =>
  listAt(statusOf(object), 'conditions')
    .filter(isFields)
    .find((one) => one.type === type)
