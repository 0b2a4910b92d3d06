import { type Fields, timestampOf } from '#apiserver/objects.ts'
import { type Id, idIn, keysOf, metadataOf, specOf, uidOf } from '#simulator/kubernetes/objects.ts'
import { falseReady } from '#simulator/kubernetes/pods/pod-status.ts'
import { conditionOf } from '#simulator/kubernetes/pods/pod-view.ts'
import type { Routine } from '#simulator/kubernetes/routine.ts'
import type { Scene } from '#simulator/kubernetes/scene.ts'
import type { Kubelet } from './kubelets.ts'
import {
  conditionsFor,
  kubeletLabels,
  type Readiness,
  reportedStatus,
  taintsFor,
} from './node-object.ts'
import { withOwnedByTalos } from './owned-by-talos.ts'
import { freePodRange } from './pod-ranges.ts'

const NODES = keysOf('nodes')
const PODS = keysOf('pods')

/** What kubelets tell of their nodes, and what becomes of a node whose kubelet is silent. */
export const nodeRoutine = (scene: Scene): Routine => ({
  name: 'node',
  *touchedBy({ key }) {
    if (key.startsWith(NODES)) yield idIn('nodes', key).name
    // Whether the network of a node works is told by the pods that make it work.
    if (!key.startsWith(PODS)) return
    const pod = scene.pods.get(key)
    if (pod?.isOnHostNetwork && pod.isRunning && pod.node) yield pod.node
  },
  async look(name) {
    const kubelet = scene.kubelets.get(name)
    if (kubelet?.isUp) await report(scene, kubelet)
    else if (scene.objects.read(nodeId(name))) return silence(scene, name, kubelet)
    return undefined
  },
})

const nodeId = (name: string): Id => ({ plural: 'nodes', namespace: '', name })

async function report(scene: Scene, kubelet: Kubelet): Promise<void> {
  const { facts } = kubelet
  if (!facts.isRegistered) return scene.kubelets.hasRegistered(facts.name)
  if (kubelet.mustRegister) await register(scene, kubelet)
  const readiness: Readiness = hasNetwork(scene, facts.name) ? 'True' : 'False'
  await scene.objects.change(nodeId(facts.name), (node) => {
    const owned = withOwnedByTalos(node, facts)
    return withTaints(owned, readiness, nowOf(scene))
  })
  await scene.objects.tell(nodeId(facts.name), (node) => ({
    ...reportedStatus(facts),
    conditions: conditionsFor(node, readiness, nowOf(scene)),
  }))
}

async function register(scene: Scene, { facts }: Kubelet): Promise<void> {
  const { objects } = scene
  const taken = objects.list('nodes').flatMap((node) => String(specOf(node).podCIDR))
  const podCIDR = freePodRange(scene.facts.podSubnets[0] ?? '', new Set(taken))
  const node = {
    metadata: { labels: kubeletLabels(facts) },
    spec: { ...(podCIDR && { podCIDR, podCIDRs: [podCIDR] }) },
    status: { ...reportedStatus(facts), conditions: conditionsFor({}, 'False', nowOf(scene)) },
  }
  await objects.create(nodeId(facts.name), withOwnedByTalos(node, facts))
  await objects.change(nodeId(facts.name), (there) => {
    const metadata = metadataOf(there)
    const labels = { ...Object(metadata.labels), ...kubeletLabels(facts) }
    return { ...there, metadata: { ...metadata, labels } }
  })
  await renewLease(scene, facts.name)
  scene.kubelets.hasRegistered(facts.name)
}

/** Once for each start of a kubelet: to do it every ten seconds for ever is what an idle cluster cannot afford. */
async function renewLease({ objects, clock }: Scene, name: string): Promise<void> {
  const node = objects.read(nodeId(name))
  if (!node) return
  const id: Id = { plural: 'leases', namespace: 'kube-node-lease', name }
  const renewTime = clock.now().toISOString().replace('Z', '000Z')
  const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime }
  const owner = { apiVersion: 'v1', kind: 'Node', name, uid: uidOf(node) }
  await objects.create(id, { metadata: { ownerReferences: [owner] }, spec })
  await objects.change(id, (lease) => ({ ...lease, spec }))
}

/** Without a network of Talos' own it is whatever daemon with the host's network somebody installs. */
function hasNetwork({ facts, pods }: Scene, node: string): boolean {
  if (facts.cni === 'custom') return true
  return pods
    .on(node)
    .some(
      ({ ownerKind, isOnHostNetwork, isRunning, labels }) =>
        ownerKind === 'DaemonSet' &&
        isOnHostNetwork &&
        isRunning &&
        labels['k8s-app'] !== 'kube-proxy',
    )
}

async function silence(
  scene: Scene,
  name: string,
  kubelet: Kubelet | undefined,
): Promise<number | undefined> {
  const { clock, timing, objects } = scene
  const leftMs = (kubelet?.silentSinceMs ?? 0) + timing.nodeGraceMs - clock.monotonicMs()
  if (leftMs > 0) {
    // Somebody may cordon it meanwhile.
    await objects.change(nodeId(name), (node) => withTaints(node, readinessOf(node), nowOf(scene)))
    return leftMs
  }
  await objects.change(nodeId(name), (node) => withTaints(node, 'Unknown', nowOf(scene)))
  await objects.tell(nodeId(name), (node) => ({
    conditions: conditionsFor(node, 'Unknown', nowOf(scene)),
  }))
  for (const pod of scene.pods.on(name).filter((one) => one.isReady)) {
    await objects.tell({ plural: 'pods', ...pod }, (object) => falseReady(object, nowOf(scene)))
  }
  return undefined
}

function readinessOf(node: Fields): Readiness {
  const status = conditionOf(node, 'Ready')?.status
  return status === 'True' || status === 'Unknown' ? status : 'False'
}

function withTaints(node: Fields, readiness: Readiness, now: string): Fields {
  const { taints: _, ...spec } = specOf(node)
  const taints = taintsFor(node, readiness, now)
  return { ...node, spec: { ...spec, ...(taints.length > 0 && { taints }) } }
}

const nowOf = ({ clock }: Scene): string => timestampOf(clock.now())
