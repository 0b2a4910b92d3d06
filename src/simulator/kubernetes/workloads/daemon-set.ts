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
  uidOf,
} from '#simulator/kubernetes/objects.ts'
import { isSelected } from '#simulator/kubernetes/pods/node-fit.ts'
import type { PodView } from '#simulator/kubernetes/pods/pod-view.ts'
import { tolerationOf } from '#simulator/kubernetes/pods/tolerations.ts'
import type { Routine } from '#simulator/kubernetes/routine.ts'
import type { Scene } from '#simulator/kubernetes/scene.ts'
import { activePods } from './replica-set.ts'
import { countOf, ownerReference, podOf, templateHash, unlessZero } from './template.ts'

const DAEMONS = keysOf('daemonsets')
const NODES = keysOf('nodes')
const HASH = 'controller-revision-hash'

/** Keeps one pod of a DaemonSet on each node that takes it. */
export const daemonSetRoutine = (scene: Scene): Routine => ({
  name: 'daemonsets',
  *touchedBy(change) {
    const { key } = change
    if (key.startsWith(DAEMONS)) yield key
    if (key.startsWith(NODES)) yield* allDaemons(scene)
    const pod = scene.pods.touchedBy(change)
    if (pod?.ownerKind === 'DaemonSet') {
      yield keyOfId({ plural: 'daemonsets', namespace: pod.namespace, name: pod.ownerName })
    }
  },
  async look(key) {
    const id = idIn('daemonsets', key)
    const daemon = scene.objects.read(id)
    if (!daemon || isGoing(daemon)) return undefined
    await spread(scene, id, daemon)
    await replaceOutdated(scene, daemon)
    await scene.objects.tell(id, (copy) => statusFor(scene, copy))
    return undefined
  },
})

const allDaemons = ({ objects }: Scene): string[] =>
  objects
    .list('daemonsets')
    .map((one) => `${DAEMONS}${String(metadataOf(one).namespace)}/${nameOf(one)}`)

/** Where it has a pod that it should not have, or none that it should. */
async function spread(scene: Scene, id: Id, daemon: Fields): Promise<void> {
  const pods = scene.pods.of(uidOf(daemon))
  const template = templateOf(daemon)
  for (const node of scene.objects.list('nodes')) {
    const there = pods.filter((pod) => pod.node === nameOf(node))
    const place = placeFor(template, node)
    const ended = there.filter(({ hasEnded, isGoing: going }) => hasEnded && !going)
    const surplus = place === 'leave' ? there.filter((pod) => !pod.isGoing) : ended
    for (const pod of surplus) await scene.objects.remove({ plural: 'pods', ...pod })
    if (place === 'run' && there.length === 0 && !isGoing(node)) {
      await createPod(scene, id, { daemon, node: nameOf(node) })
    }
  }
}

/** Whether a node gets a pod, may keep the one that it has, or must lose it. */
function placeFor(template: Fields, node: Fields): 'run' | 'keep' | 'leave' {
  const pod = { spec: { ...specOf(template), tolerations: tolerationsOf(template) } }
  if (!isSelected(pod, node)) return 'leave'
  const refused = listAt(specOf(node), 'taints')
    .filter(isFields)
    .filter(({ effect }) => effect !== 'PreferNoSchedule')
    .filter((taint) => !tolerationOf(pod, taint))
  if (refused.length === 0) return 'run'
  return refused.some(({ effect }) => effect === 'NoExecute') ? 'leave' : 'keep'
}

// What keeps other pods away from a node is nothing to a daemon.
const BORNE = [
  ['not-ready', 'NoExecute'],
  ['unreachable', 'NoExecute'],
  ['disk-pressure', 'NoSchedule'],
  ['memory-pressure', 'NoSchedule'],
  ['pid-pressure', 'NoSchedule'],
  ['unschedulable', 'NoSchedule'],
] as const

const tolerationsOf = (template: Fields): unknown[] => [
  ...listAt(specOf(template), 'tolerations'),
  ...BORNE.map(([name, effect]) => ({
    key: `node.kubernetes.io/${name}`,
    operator: 'Exists',
    effect,
  })),
]

const templateOf = (daemon: Fields): Fields => fieldsAt(specOf(daemon), 'template')

async function createPod(
  { objects }: Scene,
  { namespace, name }: Id,
  { daemon, node }: { daemon: Fields; node: string },
): Promise<void> {
  const template = templateOf(daemon)
  const owner = ownerReference('apps/v1', 'DaemonSet', daemon)
  const generation = String(metadataOf(daemon).generation)
  const labels = { [HASH]: templateHash(template), 'pod-template-generation': generation }
  const pod = podOf(template, { owner, labels })
  const term = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }
  const nodeAffinity = {
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] },
  }
  await objects.create(
    { plural: 'pods', namespace, name: '' },
    {
      metadata: { ...pod.metadata, generateName: `${name}-` },
      spec: {
        ...pod.spec,
        // Its place is decided here, so nobody has to look for one.
        nodeName: node,
        affinity: { ...fieldsAt(pod.spec, 'affinity'), nodeAffinity },
        tolerations: tolerationsOf(template),
      },
    },
  )
}

const isOutdated = (pod: PodView, daemon: Fields): boolean =>
  pod.labels[HASH] !== templateHash(templateOf(daemon))

async function replaceOutdated(scene: Scene, daemon: Fields): Promise<void> {
  const strategy = fieldsAt(specOf(daemon), 'updateStrategy')
  if (strategy.type === 'OnDelete') return
  const pods = activePods(scene, uidOf(daemon))
  const wanted = eligible(scene, daemon).length
  const ready = pods.filter(({ isReady }) => isReady).length
  const { maxUnavailable = 1 } = fieldsAt(strategy, 'rollingUpdate')
  let spare = Math.max(1, countOf(maxUnavailable, wanted)) - Math.max(0, wanted - ready)
  for (const pod of pods.filter((one) => isOutdated(one, daemon))) {
    if (pod.isReady && spare <= 0) continue
    if (pod.isReady) spare--
    await scene.objects.remove({ plural: 'pods', ...pod })
  }
}

const eligible = ({ objects }: Scene, daemon: Fields): Fields[] =>
  objects.list('nodes').filter((node) => placeFor(templateOf(daemon), node) === 'run')

function statusFor(scene: Scene, daemon: Fields): Fields {
  const nodes = new Set(eligible(scene, daemon).map(nameOf))
  const pods = activePods(scene, uidOf(daemon))
  const placed = pods.filter(({ node }) => nodes.has(node))
  const ready = placed.filter(({ isReady }) => isReady).length
  return {
    currentNumberScheduled: placed.length,
    desiredNumberScheduled: nodes.size,
    numberMisscheduled: pods.length - placed.length,
    numberReady: ready,
    numberAvailable: unlessZero(ready),
    numberUnavailable: unlessZero(nodes.size - ready),
    updatedNumberScheduled: unlessZero(placed.filter((pod) => !isOutdated(pod, daemon)).length),
    observedGeneration: metadataOf(daemon).generation,
  }
}
