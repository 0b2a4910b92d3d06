import { type Fields, isFields, listAt } from '#apiserver/objects.ts'
import { type Id, idIn, keysOf, specOf } from '#simulator/kubernetes/objects.ts'
import type { Routine } from '#simulator/kubernetes/routine.ts'
import type { Scene } from '#simulator/kubernetes/scene.ts'
import type { PodView } from './pod-view.ts'
import { tolerationOf } from './tolerations.ts'

const NODES = keysOf('nodes')
const PODS = keysOf('pods')

/** Takes pods away from nodes that do not want them any more, or that are gone. */
export const evictionRoutine = (scene: Scene): Routine => ({
  name: 'evictions',
  *touchedBy({ key }) {
    if (key.startsWith(NODES)) yield idIn('nodes', key).name
    const pod = key.startsWith(PODS) ? scene.pods.get(key) : undefined
    if (pod?.node) yield pod.node
  },
  async look(name) {
    const node = scene.objects.read({ plural: 'nodes', namespace: '', name })
    const pods = scene.pods.on(name)
    if (!node) return forceAway(scene, pods)
    const taints = listAt(specOf(node), 'taints')
      .filter(isFields)
      .filter(({ effect }) => effect === 'NoExecute')
    if (taints.length === 0) return undefined
    const waits: number[] = []
    for (const pod of pods.filter(({ isGoing, isMirror }) => !isGoing && !isMirror)) {
      const leftMs = await judge(scene, { plural: 'pods', ...pod }, taints)
      if (leftMs !== undefined) waits.push(leftMs)
    }
    return waits.length > 0 ? Math.min(...waits) : undefined
  },
})

/** Nobody is there who could end them. */
async function forceAway(scene: Scene, pods: readonly PodView[]): Promise<undefined> {
  for (const pod of pods) {
    await scene.objects.remove({ plural: 'pods', ...pod }, { gracePeriodSeconds: 0 })
  }
  return undefined
}

/** Deletes a pod whose patience with the taints of its node is over; how long it lasts, if it ends. */
async function judge(scene: Scene, id: Id, taints: readonly Fields[]): Promise<number | undefined> {
  const pod = scene.objects.read(id)
  if (!pod) return undefined
  const leftMs = Math.min(...taints.map((taint) => patienceMs(scene, pod, taint)))
  if (leftMs === Number.POSITIVE_INFINITY) return undefined
  if (leftMs > 0) return leftMs
  await scene.objects.remove(id)
  return undefined
}

function patienceMs({ clock }: Scene, pod: Fields, taint: Fields): number {
  const toleration = tolerationOf(pod, taint)
  if (!toleration) return 0
  const { tolerationSeconds } = toleration
  if (typeof tolerationSeconds !== 'number') return Number.POSITIVE_INFINITY
  const since = Date.parse(String(taint.timeAdded)) || clock.now().getTime()
  return since + tolerationSeconds * 1000 - clock.now().getTime()
}
