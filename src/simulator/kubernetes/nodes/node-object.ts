import { type Fields, isFields, listAt } from '#apiserver/objects.ts'
import type { NodeFacts } from '#simulator/kubernetes/cluster-kubernetes.ts'
import { specOf, statusOf } from '#simulator/kubernetes/objects.ts'
import { talosRelease } from './talos-release.ts'

/** What is known of a node: it is well, something is missing, nobody has heard of it. */
export type Readiness = 'True' | 'False' | 'Unknown'

const POD_LIMIT = '110'
const DISK = '20Gi'

/** The labels that a kubelet gives its node. */
export const kubeletLabels = (facts: NodeFacts): Fields => ({
  'beta.kubernetes.io/arch': 'amd64',
  'beta.kubernetes.io/os': 'linux',
  'kubernetes.io/arch': 'amd64',
  'kubernetes.io/hostname': facts.name,
  'kubernetes.io/os': 'linux',
})

/** What a kubelet reports of its node, but for its conditions. */
export function reportedStatus(facts: NodeFacts): Fields {
  const { kernel, containerd } = talosRelease(facts.talosVersion)
  const capacity = {
    cpu: String(facts.cpus),
    'ephemeral-storage': DISK,
    memory: `${facts.memoryMiB * 1024}Ki`,
    pods: POD_LIMIT,
  }
  return {
    addresses: [
      { type: 'InternalIP', address: facts.address },
      { type: 'Hostname', address: facts.name },
    ],
    capacity,
    allocatable: capacity,
    daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
    nodeInfo: {
      architecture: 'amd64',
      bootID: facts.bootId,
      containerRuntimeVersion: `containerd://${containerd}`,
      kernelVersion: kernel,
      kubeProxyVersion: '',
      kubeletVersion: facts.kubeletVersion,
      machineID: facts.uuid.replaceAll('-', ''),
      operatingSystem: 'linux',
      osImage: `Talos (${facts.talosVersion})`,
      systemUUID: facts.uuid,
    },
  }
}

const NO_NETWORK =
  'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized'

const PRESSURES = [
  ['MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
] as const

/** The conditions of a node. The times are those of the last change: nothing is written while nothing changes. */
export function conditionsFor(node: Fields, readiness: Readiness, now: string): Fields[] {
  const before = listAt(statusOf(node), 'conditions').filter(isFields)
  return wantedConditions(readiness).map((wanted) => {
    const known = before.find(({ type }) => type === wanted.type)
    const isSame = known?.status === wanted.status && known?.reason === wanted.reason
    if (isSame) return { ...known, ...wanted }
    const isTransition = known?.status !== wanted.status
    return {
      ...wanted,
      lastHeartbeatTime: now,
      lastTransitionTime: isTransition ? now : known?.lastTransitionTime,
    }
  })
}

function wantedConditions(readiness: Readiness): Fields[] {
  if (readiness === 'Unknown') {
    return [...PRESSURES.map(([type]) => type), 'Ready'].map((type) => ({
      type,
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      message: 'Kubelet stopped posting node status.',
    }))
  }
  const isReady = readiness === 'True'
  return [
    ...PRESSURES.map(([type, reason, message]) => ({ type, status: 'False', reason, message })),
    {
      type: 'Ready',
      status: readiness,
      reason: isReady ? 'KubeletReady' : 'KubeletNotReady',
      message: isReady ? 'kubelet is posting ready status' : NO_NETWORK,
    },
  ]
}

const NOT_READY = 'node.kubernetes.io/not-ready'
const UNREACHABLE = 'node.kubernetes.io/unreachable'
const UNSCHEDULABLE = 'node.kubernetes.io/unschedulable'
const LIFECYCLE = [NOT_READY, UNREACHABLE, UNSCHEDULABLE]

/** The taints of a node, with those that follow from its state. */
export function taintsFor(node: Fields, readiness: Readiness, now: string): Fields[] {
  const before = listAt(specOf(node), 'taints').filter(isFields)
  const trouble = readiness === 'True' ? [] : [readiness === 'False' ? NOT_READY : UNREACHABLE]
  const wanted: Fields[] = [
    ...(specOf(node).unschedulable === true
      ? [{ key: UNSCHEDULABLE, effect: 'NoSchedule', timeAdded: now }]
      : []),
    ...trouble.flatMap((key) => [
      { key, effect: 'NoSchedule', timeAdded: now },
      { key, effect: 'NoExecute', timeAdded: now },
    ]),
  ]
  const known = (one: Fields) =>
    before.find(({ key, effect }) => key === one.key && effect === one.effect)
  return [
    ...before.filter(({ key }) => !LIFECYCLE.includes(String(key))),
    ...wanted.map((one) => known(one) ?? one),
  ]
}
