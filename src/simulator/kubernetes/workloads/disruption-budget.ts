import { isEmptySelector, selects } from '#apiserver/metadata/label-selector.ts'
import { type Fields, fieldsAt, timestampOf } from '#apiserver/objects.ts'
import {
  idIn,
  idOf,
  keyOfId,
  keysOf,
  metadataOf,
  type Plural,
  specOf,
  statusOf,
} from '#simulator/kubernetes/objects.ts'
import { conditionOf, type PodView } from '#simulator/kubernetes/pods/pod-view.ts'
import type { Routine } from '#simulator/kubernetes/routine.ts'
import type { Scene } from '#simulator/kubernetes/scene.ts'
import { countOf } from './template.ts'

const BUDGETS = keysOf('poddisruptionbudgets')

/** Counts for each disruption budget how many of its pods may be taken away. */
export const disruptionBudgetRoutine = (scene: Scene): Routine => ({
  name: 'budgets',
  *touchedBy(change) {
    if (change.key.startsWith(BUDGETS)) yield change.key
    const pod = scene.pods.touchedBy(change)
    if (!pod) return
    for (const budget of scene.objects.list('poddisruptionbudgets', pod.namespace)) {
      yield keyOfId(idOf('poddisruptionbudgets', budget))
    }
  },
  async look(key) {
    const id = idIn('poddisruptionbudgets', key)
    await scene.objects.change(
      id,
      (copy) => ({ ...copy, status: { ...statusOf(copy), ...statusFor(scene, copy) } }),
      'status',
    )
    return undefined
  },
})

function statusFor(scene: Scene, budget: Fields): Fields {
  const { namespace } = idOf('poddisruptionbudgets', budget)
  const selector = fieldsAt(specOf(budget), 'selector')
  const pods = scene.pods
    .all()
    .filter((pod) => pod.namespace === namespace && !pod.hasEnded && covers(selector, pod))
  const expected = expectedFor(scene, pods)
  const wanted = healthyWanted(specOf(budget), expected)
  const disrupted = stillThere(statusOf(budget), pods)
  const healthy = pods.filter(
    (pod) => pod.isReady && !pod.isGoing && !Object.hasOwn(disrupted, pod.name),
  ).length
  const allowed = expected > 0 ? Math.max(0, healthy - wanted) : 0
  return {
    currentHealthy: healthy,
    desiredHealthy: wanted,
    expectedPods: expected,
    disruptionsAllowed: allowed,
    disruptedPods: disrupted,
    observedGeneration: metadataOf(budget).generation,
    conditions: [conditionFor(budget, allowed, timestampOf(scene.clock.now()))],
  }
}

/** An empty selector is everything. */
const covers = (selector: Fields, pod: PodView): boolean =>
  isEmptySelector(selector) || selects(selector, pod.labels)

/** As many as their owners want; those without one count for themselves. */
function expectedFor(scene: Scene, pods: readonly PodView[]): number {
  const owners = new Map(pods.filter(({ ownerUid }) => ownerUid).map((pod) => [pod.ownerUid, pod]))
  const free = pods.filter(({ ownerUid }) => !ownerUid).length
  return [...owners.values()].reduce((sum, pod) => sum + wantedBy(scene, pod, pods), free)
}

const OWNERS: Readonly<Record<string, Plural>> = {
  ReplicaSet: 'replicasets',
  StatefulSet: 'statefulsets',
}

function wantedBy({ objects }: Scene, pod: PodView, pods: readonly PodView[]): number {
  const plural = OWNERS[pod.ownerKind]
  const { namespace, ownerName, ownerUid } = pod
  const owner = plural && objects.read({ plural, namespace, name: ownerName })
  if (owner) return Number(specOf(owner).replicas ?? 1)
  return pods.filter((one) => one.ownerUid === ownerUid).length
}

function healthyWanted({ minAvailable, maxUnavailable }: Fields, expected: number): number {
  if (maxUnavailable !== undefined) return Math.max(0, expected - countOf(maxUnavailable, expected))
  return countOf(minAvailable ?? 1, expected)
}

/** Pods whose eviction was allowed and that have not begun to go. */
function stillThere(status: Fields, pods: readonly PodView[]): Fields {
  const there = new Set(pods.filter((pod) => !pod.isGoing).map(({ name }) => name))
  const disrupted = Object.entries(fieldsAt(status, 'disruptedPods'))
  return Object.fromEntries(disrupted.filter(([name]) => there.has(name)))
}

function conditionFor(budget: Fields, allowed: number, now: string): Fields {
  const status = allowed > 0 ? 'True' : 'False'
  const known = conditionOf(budget, 'DisruptionAllowed')
  return {
    type: 'DisruptionAllowed',
    status,
    reason: allowed > 0 ? 'SufficientPods' : 'InsufficientPods',
    message: '',
    observedGeneration: metadataOf(budget).generation,
    lastTransitionTime: known?.status === status ? known.lastTransitionTime : now,
  }
}
