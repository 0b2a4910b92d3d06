import { type Fields, isFields, listAt } from '#apiserver/objects.ts'
import { metadataOf, nameOf, specOf, statusOf } from '#simulator/kubernetes/objects.ts'
import { conditionOf } from '#simulator/kubernetes/pods/pod-view.ts'
import { replicasOf } from './rollout.ts'
import { countOf, unlessZero } from './template.ts'

interface Seen {
  newest: Fields | undefined
  older: readonly Fields[]
  now: string
}

const NO_DEADLINE = 2 ** 31 - 1

/** What a Deployment says of itself. */
export function deploymentStatus(deployment: Fields, { newest, older, now }: Seen): Fields {
  const sets = [...(newest ? [newest] : []), ...older]
  const sum = (key: string) =>
    sets.reduce((total, set) => total + Number(statusOf(set)[key] ?? 0), 0)
  const counts = {
    replicas: sum('replicas'),
    updatedReplicas: newest ? Number(statusOf(newest).replicas ?? 0) : 0,
    readyReplicas: sum('readyReplicas'),
    availableReplicas: sum('availableReplicas'),
  }
  const wanted = replicasOf(deployment)
  const unavailable = Math.max(0, Math.max(counts.replicas, wanted) - counts.availableReplicas)
  const told = {
    ...Object.fromEntries(Object.entries(counts).map(([key, count]) => [key, unlessZero(count)])),
    unavailableReplicas: unlessZero(unavailable),
    observedGeneration: metadataOf(deployment).generation,
  }
  const isComplete =
    counts.updatedReplicas === wanted &&
    counts.replicas === wanted &&
    counts.availableReplicas >= wanted
  const conditions = [
    available(deployment, counts.availableReplicas, now),
    progressing(deployment, { told, isComplete, now, set: newest ? nameOf(newest) : '' }),
  ]
  return { ...told, conditions: [...conditions, ...otherConditions(deployment)] }
}

const OWN = ['Available', 'Progressing']

const otherConditions = (deployment: Fields): Fields[] =>
  listAt(statusOf(deployment), 'conditions')
    .filter(isFields)
    .filter(({ type }) => !OWN.includes(String(type)))

function available(deployment: Fields, count: number, now: string): Fields {
  const replicas = replicasOf(deployment)
  const { strategy } = specOf(deployment)
  const rolling = Object(Object(strategy).rollingUpdate)
  const allowed =
    Object(strategy).type === 'Recreate'
      ? 0
      : countOf(rolling.maxUnavailable ?? '25%', replicas, Math.floor)
  const isAvailable = count >= replicas - allowed
  return condition(deployment, now, {
    type: 'Available',
    status: isAvailable ? 'True' : 'False',
    reason: isAvailable ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
    message: `Deployment ${isAvailable ? 'has' : 'does not have'} minimum availability.`,
  })
}

interface Progress {
  told: Fields
  isComplete: boolean
  now: string
  /** The name of the newest set. */
  set: string
}

function progressing(deployment: Fields, { told, isComplete, now, set }: Progress): Fields {
  if (isComplete) {
    return condition(deployment, now, {
      type: 'Progressing',
      status: 'True',
      reason: 'NewReplicaSetAvailable',
      message: `ReplicaSet "${set}" has successfully progressed.`,
    })
  }
  const before = statusOf(deployment)
  const hasMoved = Object.entries(told).some(([key, value]) => before[key] !== value)
  const known = conditionOf(deployment, 'Progressing')
  const leftMs = hasMoved ? 1 : (deadlineLeftMs(deployment, new Date(now)) ?? 1)
  const isLate = leftMs <= 0 || (known?.status === 'False' && !hasMoved)
  const next = condition(deployment, now, {
    type: 'Progressing',
    status: isLate ? 'False' : 'True',
    reason: isLate ? 'ProgressDeadlineExceeded' : 'ReplicaSetUpdated',
    message: isLate
      ? `ReplicaSet "${set}" has timed out progressing.`
      : `ReplicaSet "${set}" is progressing.`,
  })
  return hasMoved ? { ...next, lastUpdateTime: now } : next
}

/** How long a Deployment that is not complete has left to get on; undefined when it need not. */
export function deadlineLeftMs(deployment: Fields, now: Date): number | undefined {
  const known = conditionOf(deployment, 'Progressing')
  const seconds = Number(specOf(deployment).progressDeadlineSeconds ?? 600)
  const isDue = known?.status === 'True' && known.reason !== 'NewReplicaSetAvailable'
  if (!isDue || seconds >= NO_DEADLINE) return undefined
  return Date.parse(String(known.lastUpdateTime)) + seconds * 1000 - now.getTime()
}

function condition(deployment: Fields, now: string, wanted: Fields): Fields {
  const known = conditionOf(deployment, String(wanted.type))
  const isSame = known?.status === wanted.status && known?.reason === wanted.reason
  return {
    ...wanted,
    lastUpdateTime: isSame ? known?.lastUpdateTime : now,
    lastTransitionTime: known?.status === wanted.status ? known?.lastTransitionTime : now,
  }
}
