import { type Fields, fieldsAt, timestampOf } from '#apiserver/objects.ts'
import type {
  ControlPlaneComponent,
  ControlPlaneFacts,
} from '#simulator/kubernetes/cluster-kubernetes.ts'
import { type Id, idIn, isGoing, keysOf, metadataOf, uidOf } from '#simulator/kubernetes/objects.ts'
import { MIRROR } from '#simulator/kubernetes/pods/pod-view.ts'
import type { Routine } from '#simulator/kubernetes/routine.ts'
import type { Scene } from '#simulator/kubernetes/scene.ts'
import { COMPONENTS, mirrorPod } from './static-pod.ts'
import { staticPodStatus } from './static-pod-status.ts'

const NODES = keysOf('nodes')
const PODS = keysOf('pods')

/** Shows the static pods of control planes to the API, as kubelets do: what is deleted there comes back. */
export const staticPodsRoutine = (scene: Scene): Routine => ({
  name: 'static-pods',
  *touchedBy({ type, key }) {
    if (key.startsWith(NODES)) yield idIn('nodes', key).name
    if (!key.startsWith(PODS)) return
    const pod = scene.pods.get(key)
    if (pod?.isMirror && pod.isGoing) yield pod.node
    if (type === 'remove') yield* nodesOfMirror(scene, key)
  },
  async look(name) {
    const facts = scene.controlPlanes.on(name)
    const node = scene.objects.read({ plural: 'nodes', namespace: '', name })
    if (!node || isGoing(node) || !scene.kubelets.isUp(name)) return undefined
    for (const component of COMPONENTS) {
      await show(scene, { name, component, facts, nodeUid: uidOf(node) })
    }
    return undefined
  },
})

/** Whose pod it was is told by its name alone. */
function* nodesOfMirror(scene: Scene, key: string): Iterable<string> {
  const { name } = idIn('pods', key)
  for (const { nodeName } of scene.controlPlanes.all()) {
    if (COMPONENTS.some((component) => name === `${component}-${nodeName}`)) yield nodeName
  }
}

interface Shown {
  name: string
  component: ControlPlaneComponent
  /** None: it is no control plane any more. */
  facts: ControlPlaneFacts | undefined
  nodeUid: string
}

async function show(scene: Scene, { name, component, facts, nodeUid }: Shown): Promise<void> {
  const id: Id = { plural: 'pods', namespace: 'kube-system', name: `${component}-${name}` }
  const wanted = facts && mirrorPod(component, facts, nodeUid)
  const there = scene.objects.read(id)
  if (there && (!wanted || isGoing(there) || hashOf(there) !== hashOf(wanted))) {
    await scene.objects.remove(id, { gracePeriodSeconds: 0 })
  }
  if (!wanted || !facts) return
  await scene.objects.create(id, wanted)
  const now = timestampOf(scene.clock.now())
  // Whoever sees it sees it by an API that answers.
  const status = (pod: Fields) => staticPodStatus(pod, facts, { component, now, answers: true })
  await scene.objects.tell(id, status)
}

const hashOf = (pod: Fields): unknown => fieldsAt(metadataOf(pod), 'annotations')[MIRROR]
