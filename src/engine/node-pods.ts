import { type LabelSelector, Pod, PodDisruptionBudget } from '#api/foreign.ts'
import type { ObjectOf } from '#api/meta.ts'
import { isConflict, isNotFound, isOverBudget } from '#kube/api-error.ts'
import type { KubeClient } from '#kube/client.ts'
import { selects } from './label-selector.ts'

const DEADLINE_MS = 15_000

/** A pod of a node that has to leave it, when that is drained. */
export interface PodSeen extends PodRef {
  createdAt: string
  /** When it is to be gone at the latest, once it was told to end. */
  endsAt?: string
  /** The PodDisruptionBudgets that do not let it go at present, by name. */
  heldBy: readonly string[]
  /** Whether it would be refused for sure. A budget may not count a pod that is not ready. */
  isHeld: boolean
  /** Whether a cordon does not keep it away. */
  toleratesCordon: boolean
}

/** One pod, and no other of its name. */
export interface PodRef {
  namespace: string
  name: string
  uid: string
}

type PodObject = ObjectOf<typeof Pod>
type BudgetObject = ObjectOf<typeof PodDisruptionBudget>

/**
 * The pods on a node that have to leave it, sorted: neither those that belong to the node (a DaemonSet's, static ones)
 * nor those that have ended. Asked of the API server; nothing is kept.
 */
export async function podsOn(
  client: KubeClient,
  node: string,
  signal: AbortSignal,
): Promise<PodSeen[]> {
  const options = { signal, deadlineMs: DEADLINE_MS }
  const onNode = { fieldSelector: `spec.nodeName=${node}` }
  const { items } = await client.listAs(Pod, onNode, {
    ...options,
    keep: (pod) => (hasToGo(pod) ? pod : undefined),
  })
  const pods = items.filter((pod) => pod !== undefined)
  if (pods.length === 0) return []
  const { items: budgets } = await client.listAs(
    PodDisruptionBudget,
    {},
    { ...options, keep: lean },
  )
  return pods.map((pod) => seenIn(pod, budgets)).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

const nameOf = ({ namespace, name }: Pick<PodRef, 'namespace' | 'name'>): string =>
  `${namespace}/${name}`

const MIRROR = 'kubernetes.io/config.mirror'
const ENDED: readonly (string | undefined)[] = ['Succeeded', 'Failed']

const hasToGo = ({ metadata, status }: PodObject): boolean =>
  metadata.annotations?.[MIRROR] === undefined &&
  !ENDED.includes(status?.phase) &&
  !(metadata.ownerReferences ?? []).some((one) => one.controller && one.kind === 'DaemonSet')

/** Of thousands, what matters. */
const lean = ({ metadata, spec, status }: BudgetObject) => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
  selector: spec?.selector,
  hasRoom:
    (status?.disruptionsAllowed ?? 0) > 0 &&
    (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0),
})

interface Budget {
  namespace: string
  name: string
  selector: LabelSelector | undefined
  hasRoom: boolean
}

function seenIn({ metadata, spec, status }: PodObject, budgets: readonly Budget[]): PodSeen {
  const { namespace = '', name, uid = '', labels = {}, deletionTimestamp } = metadata
  // Kubernetes lets a pod that has not begun go at any time.
  const isCounted = status?.phase !== 'Pending' && deletionTimestamp === undefined
  const covering = budgets.filter(
    (one) =>
      isCounted && one.namespace === namespace && one.selector && selects(one.selector, labels),
  )
  // And none that two budgets speak of.
  const areTooMany = covering.length > 1
  const holding = covering.filter(({ hasRoom }) => areTooMany || !hasRoom)
  const isReady = (status?.conditions ?? []).some(
    (one) => one.type === 'Ready' && one.status === 'True',
  )
  return {
    ...{ namespace, name, uid, createdAt: metadata.creationTimestamp ?? '' },
    ...(deletionTimestamp !== undefined && { endsAt: deletionTimestamp }),
    heldBy: holding.map((one) => one.name).sort(),
    isHeld: areTooMany || (holding.length > 0 && isReady),
    toleratesCordon: (spec?.tolerations ?? []).some(isForCordon),
  }
}

type Toleration = NonNullable<NonNullable<PodObject['spec']>['tolerations']>[number]

const CORDON = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }

const isForCordon = ({ key = '', operator = 'Equal', value = '', effect = '' }: Toleration) =>
  (effect === '' || effect === CORDON.effect) &&
  (key === '' ? operator === 'Exists' : key === CORDON.key) &&
  (operator === 'Exists' || value === '')

/**
 * Asks pods to leave their node, all at once. One that its budget does not let go stays, one that is gone or was made anew
 * is left alone; whatever else is said against one of them is thrown when all were asked.
 */
export async function evictPods(
  client: KubeClient,
  pods: readonly PodRef[],
  signal: AbortSignal,
): Promise<void> {
  await eachOf(pods, ({ namespace, name, uid }) =>
    client.evict({ namespace, name }, { signal, deadlineMs: DEADLINE_MS, preconditions: { uid } }),
  )
}

/** Deletes pods, whatever their budgets say. They have their own time to end. */
export async function deletePods(
  client: KubeClient,
  pods: readonly PodRef[],
  signal: AbortSignal,
): Promise<void> {
  await eachOf(pods, ({ namespace, name, uid }) =>
    client.remove(
      Pod,
      { namespace, name },
      { signal, deadlineMs: DEADLINE_MS, preconditions: { uid } },
    ),
  )
}

async function eachOf(pods: readonly PodRef[], ask: (pod: PodRef) => Promise<void>): Promise<void> {
  const asked = await Promise.allSettled(pods.map(ask))
  const failed = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  const [first] = failed.filter(
    (error) => !isOverBudget(error) && !isNotFound(error) && !isConflict(error),
  )
  if (first !== undefined) throw first
}
