import { selects } from '#apiserver/metadata/label-selector.ts'
import { type Fields, fieldsAt, isFields, listAt, textAt, timestampOf } from '#apiserver/objects.ts'
import { type Id, idIn, keysOf, metadataOf, nameOf, specOf } from '#simulator/kubernetes/objects.ts'
import type { Routine } from '#simulator/kubernetes/routine.ts'
import type { Scene } from '#simulator/kubernetes/scene.ts'
import { misfit } from './node-fit.ts'
import { conditionsOf, unscheduledStatus } from './pod-status.ts'
import type { PodView } from './pod-view.ts'

const PODS = keysOf('pods')
const NODES = keysOf('nodes')
const SCHEDULER = 'default-scheduler'

/** Binds pods to nodes that take them: to the one with the fewest of the same, and then the fewest of all. */
export const schedulerRoutine = (scene: Scene): Routine => ({
  name: 'scheduler',
  touchedBy({ key }) {
    const own = key.startsWith(PODS) ? scene.pods.get(key) : undefined
    if (own) return isPending(own) ? [key] : []
    // A node that changes, or a pod that is gone, may make room.
    if (!key.startsWith(PODS) && !key.startsWith(NODES)) return []
    return scene.pods
      .all()
      .filter(isPending)
      .map((pod) => pod.key)
  },
  async look(key) {
    const view = scene.pods.get(key)
    const id = idIn('pods', key)
    const pod = view && isPending(view) ? scene.objects.read(id) : undefined
    if (!view || !pod || specOf(pod).schedulerName !== SCHEDULER) return undefined
    await schedule(scene, id, { view, pod })
    return undefined
  },
})

const isPending = ({ node, isGoing, hasEnded }: PodView): boolean =>
  node === '' && !isGoing && !hasEnded

async function schedule(
  scene: Scene,
  id: Id,
  { view, pod }: { view: PodView; pod: Fields },
): Promise<void> {
  const nodes = scene.objects.list('nodes')
  const problems = nodes.map((node) => misfit(pod, node) ?? antiAffinity(scene, pod, node))
  const [best] = nodes
    .filter((_, index) => problems[index] === undefined)
    .map((node) => ({ name: nameOf(node), ...crowdOn(scene, nameOf(node), view) }))
    .sort((one, other) => one.same - other.same || one.all - other.all || order(one, other))
  const now = timestampOf(scene.clock.now())
  if (!best) {
    const message = whyNot(problems.filter((one) => one !== undefined))
    return scene.objects.tell(id, (copy) => unscheduledStatus(copy, now, message))
  }
  // As the binding of a pod is written: nothing else may set its node.
  await scene.objects.change(
    id,
    (copy) => ({
      ...copy,
      spec: { ...specOf(copy), nodeName: best.name },
      status: {
        ...fieldsAt(copy, 'status'),
        conditions: conditionsOf(copy, { now, wanted: { PodScheduled: 'True' } }),
      },
    }),
    'binding',
  )
}

const order = (one: { name: string }, other: { name: string }): number =>
  one.name < other.name ? -1 : 1

function crowdOn({ pods }: Scene, node: string, { ownerUid }: PodView) {
  const there = pods.on(node).filter((pod) => !pod.hasEnded)
  const same = ownerUid ? there.filter((pod) => pod.ownerUid === ownerUid).length : 0
  return { same, all: there.length }
}

/** Pods that must not be together are told apart by the host only: that is what nearly all ask for. */
function antiAffinity({ pods }: Scene, pod: Fields, node: Fields): string | undefined {
  const terms = listAt(
    fieldsAt(fieldsAt(specOf(pod), 'affinity'), 'podAntiAffinity'),
    'requiredDuringSchedulingIgnoredDuringExecution',
  ).filter(isFields)
  const own = textAt(metadataOf(pod), 'namespace') ?? ''
  const isMet = terms.some((term) =>
    pods
      .on(nameOf(node))
      .filter((other) => !other.hasEnded && other.namespace === own)
      .some((other) => selects(fieldsAt(term, 'labelSelector'), other.labels)),
  )
  return isMet ? "node(s) didn't match pod anti-affinity rules" : undefined
}

function whyNot(problems: readonly string[]): string {
  if (problems.length === 0) return 'no nodes available to schedule pods'
  const counts = new Map<string, number>()
  for (const one of problems) counts.set(one, (counts.get(one) ?? 0) + 1)
  const told = [...counts].map(([problem, count]) => `${count} ${problem}`).toSorted()
  return `0/${problems.length} nodes are available: ${told.join(', ')}.`
}
