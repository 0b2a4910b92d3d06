import { createHash } from 'node:crypto'
import { type Fields, isFields, listAt } from '#apiserver/objects.ts'
import { specOf, statusOf, uidOf } from '#simulator/kubernetes/objects.ts'

/** Where a pod runs. */
export interface PodHome {
  hostAddress: string
  address: string
}

const NEVER_READY = 'ContainersNotReady'

/** The status of a pod whose containers run. */
export function runningStatus(pod: Fields, home: PodHome, facts: RunningFacts): Fields {
  const { now, isReady } = facts
  return {
    phase: 'Running',
    ...startedStatus(pod, home, facts),
    ...initStatuses(pod, now),
    containerStatuses: containersOf(pod, 'containers').map((container) => ({
      ...containerStatus(pod, container),
      ready: isReady,
      started: true,
      state: { running: { startedAt: startedAt(pod, container) ?? now } },
    })),
  }
}

interface RunningFacts {
  now: string
  isReady: boolean
}

/** The status of a pod on its node whose containers are not there yet. */
export const waitingStatus = (
  pod: Fields,
  home: PodHome,
  { now, reason, message }: { now: string; reason: string; message?: string },
): Fields => ({
  phase: 'Pending',
  ...startedStatus(pod, home, { now, isReady: false }),
  containerStatuses: containersOf(pod, 'containers').map(({ name, image }) => ({
    ...{ name, image, imageID: '', lastState: {}, restartCount: 0, ready: false, started: false },
    state: { waiting: { reason, ...(message && { message }) } },
  })),
})

function startedStatus(pod: Fields, home: PodHome, { now, isReady }: RunningFacts): Fields {
  const ready = isReady ? 'True' : 'False'
  return {
    hostIP: home.hostAddress,
    hostIPs: [{ ip: home.hostAddress }],
    podIP: home.address,
    podIPs: [{ ip: home.address }],
    startTime: String(statusOf(pod).startTime ?? now),
    conditions: conditionsOf(pod, {
      now,
      wanted: {
        PodReadyToStartContainers: 'True',
        Initialized: 'True',
        Ready: ready,
        ContainersReady: ready,
        PodScheduled: 'True',
      },
    }),
  }
}

/** The status of a pod whose containers have ended. */
export function endedStatus(pod: Fields, now: string, exitCode: number): Fields {
  const hasFailed = exitCode !== 0
  const reason = hasFailed ? 'Error' : 'Completed'
  return {
    phase: hasFailed ? 'Failed' : 'Succeeded',
    conditions: conditionsOf(pod, {
      now,
      wanted: {
        PodReadyToStartContainers: 'False',
        Initialized: 'True',
        Ready: 'False',
        ContainersReady: 'False',
        PodScheduled: 'True',
      },
      reason: hasFailed ? 'PodFailed' : 'PodCompleted',
    }),
    containerStatuses: containersOf(pod, 'containers').map((container) => ({
      ...containerStatus(pod, container),
      ready: false,
      started: false,
      state: {
        terminated: {
          exitCode,
          reason,
          startedAt: startedAt(pod, container) ?? now,
          finishedAt: now,
          containerID: containerId(pod, container),
        },
      },
    })),
  }
}

/** Nobody hears of the pod any more. */
export const falseReady = (pod: Fields, now: string): Fields => ({
  conditions: conditionsOf(pod, { now, wanted: { Ready: 'False' } }),
})

/** A pod that found no node. */
export const unscheduledStatus = (pod: Fields, now: string, message: string): Fields => ({
  conditions: conditionsOf(pod, {
    now,
    wanted: { PodScheduled: 'False' },
    reason: 'Unschedulable',
  }).map((one) => (one.type === 'PodScheduled' ? { ...one, message } : one)),
})

interface Transition {
  now: string
  /** The status of each condition. */
  wanted: Readonly<Record<string, string>>
  /** Why those that are false are. */
  reason?: string
}

/** The conditions of a pod with some of another status. */
export function conditionsOf(
  pod: Fields,
  { now, wanted, reason = NEVER_READY }: Transition,
): Fields[] {
  const before = listAt(statusOf(pod), 'conditions').filter(isFields)
  const others = before.filter(({ type }) => !Object.hasOwn(wanted, String(type)))
  const changed = Object.entries(wanted).map(([type, status]) => {
    const known = before.find((one) => one.type === type && one.status === status)
    const why = status === 'False' && type !== 'PodReadyToStartContainers' ? { reason } : {}
    return {
      type,
      status,
      ...why,
      lastProbeTime: null,
      lastTransitionTime: known?.lastTransitionTime ?? now,
    }
  })
  return [...others, ...changed]
}

const containersOf = (pod: Fields, key: string): Fields[] =>
  listAt(specOf(pod), key).filter(isFields)

function initStatuses(pod: Fields, now: string): Fields {
  const containers = containersOf(pod, 'initContainers')
  if (containers.length === 0) return {}
  return {
    initContainerStatuses: containers.map((container) => ({
      ...containerStatus(pod, container),
      ready: true,
      started: false,
      state: {
        terminated: {
          exitCode: 0,
          reason: 'Completed',
          startedAt: now,
          finishedAt: now,
          containerID: containerId(pod, container),
        },
      },
    })),
  }
}

const containerStatus = (pod: Fields, container: Fields): Fields => ({
  name: container.name,
  image: container.image,
  imageID: `${String(container.image).replace(/[:@].*$/, '')}@sha256:${sha256(String(container.image))}`,
  containerID: containerId(pod, container),
  lastState: {},
  restartCount: 0,
})

const containerId = (pod: Fields, { name }: Fields): string =>
  `containerd://${sha256(`${uidOf(pod)} ${String(name)}`)}`

function startedAt(pod: Fields, { name }: Fields): unknown {
  const known = listAt(statusOf(pod), 'containerStatuses')
    .filter(isFields)
    .find((one) => one.name === name)
  return Object(Object(known?.state).running).startedAt
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
