import { type Fields, fieldsAt } from '#apiserver/objects.ts'
import { nameOf, specOf, statusOf } from '#simulator/kubernetes/objects.ts'
import { countOf } from './template.ts'

/** How many pods a ReplicaSet is to have. */
export interface Scaling {
  name: string
  replicas: number
}

interface Rollout {
  deployment: Fields
  /** Of the newest template. */
  newest: Fields
  /** Of older ones, oldest first. */
  older: readonly Fields[]
}

const wantedOf = (set: Fields): number => Number(specOf(set).replicas ?? 0)
const availableOf = (set: Fields): number => Number(statusOf(set).availableReplicas ?? 0)
const sumOf = (sets: readonly Fields[], of: (set: Fields) => number): number =>
  sets.reduce((sum, set) => sum + of(set), 0)

/** The next step from the pods of older templates to those of the newest: which sets are scaled to what. */
export function rolloutStep(rollout: Rollout): Scaling[] {
  const strategy = fieldsAt(specOf(rollout.deployment), 'strategy')
  return strategy.type === 'Recreate' ? recreate(rollout) : roll(rollout, strategy)
}

function recreate({ deployment, newest, older }: Rollout): Scaling[] {
  const running = older.filter((set) => wantedOf(set) > 0)
  if (running.length > 0) return running.map((set) => ({ name: nameOf(set), replicas: 0 }))
  const isOldLeft = older.some((set) => Number(statusOf(set).replicas ?? 0) > 0)
  return isOldLeft ? [] : [{ name: nameOf(newest), replicas: replicasOf(deployment) }]
}

function roll({ deployment, newest, older }: Rollout, strategy: Fields): Scaling[] {
  const replicas = replicasOf(deployment)
  const { surge, unavailable } = limitsOf(strategy, replicas)
  const others = sumOf(older, wantedOf)
  const room = replicas + surge - others
  const next = Math.min(replicas, Math.max(wantedOf(newest), room))
  const scaled: Scaling[] = [{ name: nameOf(newest), replicas: Math.max(0, next) }]
  const available = Math.min(availableOf(newest), replicas)
  let spare = sumOf(older, availableOf) + available - (replicas - unavailable)
  for (const set of older) {
    const wanted = wantedOf(set)
    // Those that do not work are nobody's loss.
    const broken = wanted - Math.min(wanted, availableOf(set))
    const healthy = Math.max(0, Math.min(wanted - broken, spare))
    spare -= healthy
    if (wanted > 0) scaled.push({ name: nameOf(set), replicas: wanted - broken - healthy })
  }
  return scaled
}

function limitsOf(strategy: Fields, replicas: number): { surge: number; unavailable: number } {
  const { maxSurge, maxUnavailable } = fieldsAt(strategy, 'rollingUpdate')
  const surge = countOf(maxSurge ?? '25%', replicas)
  const unavailable = countOf(maxUnavailable ?? '25%', replicas, Math.floor)
  // Otherwise nothing could ever move.
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable }
}

export const replicasOf = (deployment: Fields): number => Number(specOf(deployment).replicas ?? 1)
