import { ApiFailure, forbidden } from '#apiserver/failure.ts'
import { selects } from '#apiserver/metadata/label-selector.ts'
import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'
import { itemsOf, partOf } from './fill.ts'

/** What is to become of a wish to take a pod away. */
type EvictionVerdict =
  | {
      verdict: 'allow'
      /** The budget that has one disruption less from now on; none when it does not count. */
      budget?: Fields
    }
  | { verdict: 'refuse'; failure: ApiFailure }

/**
 * Whether a pod may be evicted, by the budgets of its namespace. It believes the status of the budget,
 * and nothing when the status is older than the spec.
 */
export function decideEviction(pod: Fields, budgets: readonly Fields[]): EvictionVerdict {
  if (isNotRunning(pod)) return { verdict: 'allow' }
  const [budget, ...others] = budgets.filter((one) => covers(one, pod))
  if (!budget) return { verdict: 'allow' }
  if (others.length > 0) return refuseSeveral()
  return !isReady(pod) && mayLoseUnready(budget) ? { verdict: 'allow' } : decideByBudget(budget)
}

/** A pod that is not ready counts for nothing where enough others are, or where the budget says so. */
function mayLoseUnready(budget: Fields): boolean {
  if (fieldsAt(budget, 'spec').unhealthyPodEvictionPolicy === 'AlwaysAllow') return true
  const status = fieldsAt(budget, 'status')
  const wanted = numberAt(status, 'desiredHealthy')
  return wanted > 0 && numberAt(status, 'currentHealthy') >= wanted
}

/** A pod that has ended, or is already going, is nobody's loss. */
function isNotRunning(pod: Fields): boolean {
  const phase = textAt(fieldsAt(pod, 'status'), 'phase')
  return (
    phase === 'Pending' ||
    phase === 'Succeeded' ||
    phase === 'Failed' ||
    fieldsAt(pod, 'metadata').deletionTimestamp !== undefined
  )
}

function covers(budget: Fields, pod: Fields): boolean {
  const selector = partOf(fieldsAt(budget, 'spec'), 'selector')
  const labels = fieldsAt(fieldsAt(pod, 'metadata'), 'labels')
  return selector !== undefined && selects(selector, labels)
}

const isReady = (pod: Fields): boolean =>
  itemsOf(fieldsAt(pod, 'status'), 'conditions').some(
    ({ type, status }) => type === 'Ready' && status === 'True',
  )

const mostDisrupted = 2000

function decideByBudget(budget: Fields): EvictionVerdict {
  const [metadata, status] = [fieldsAt(budget, 'metadata'), fieldsAt(budget, 'status')]
  const name = textAt(metadata, 'name') ?? ''
  const allowed = numberAt(status, 'disruptionsAllowed')
  if (numberAt(status, 'observedGeneration') < numberAt(metadata, 'generation'))
    return refuse(`The disruption budget ${name} is still being processed by the server.`, 10)
  if (allowed < 0) return forbid(name, 'pdb disruptions allowed is negative')
  if (Object.keys(fieldsAt(status, 'disruptedPods')).length > mostDisrupted)
    return forbid(
      name,
      'DisruptedPods map too big - too many evictions not confirmed by PDB controller',
    )
  return allowed === 0
    ? refuse(`The disruption budget ${name} ${whyNone(status)}`)
    : { verdict: 'allow', budget }
}

const numberAt = (fields: Fields, key: string): number => Number(fields[key] ?? 0)

function whyNone(status: Fields): string {
  const condition = itemsOf(status, 'conditions').find(({ type }) => type === 'DisruptionAllowed')
  const message = condition?.status === 'False' ? textAt(condition, 'message') : undefined
  if (message && condition?.reason === 'SyncFailed')
    return `does not allow evicting pods currently because it failed sync: ${message}`
  const [healthy, wanted] = [numberAt(status, 'currentHealthy'), numberAt(status, 'desiredHealthy')]
  if (healthy <= wanted) return `needs ${wanted} healthy pods and has ${healthy} currently`
  return message
    ? `does not allow evicting pods currently (${String(condition?.reason)}): ${message}`
    : 'does not allow evicting pods currently'
}

const forbid = (name: string, why: string): EvictionVerdict => {
  const about = { group: 'policy', kind: 'poddisruptionbudget', name }
  return { verdict: 'refuse', failure: forbidden(about, why) }
}

const refuse = (cause: string, retryAfterSeconds = 0): EvictionVerdict => ({
  verdict: 'refuse',
  failure: new ApiFailure(
    429,
    "Cannot evict pod as it would violate the pod's disruption budget.",
    {
      reason: 'TooManyRequests',
      details: {
        causes: [{ reason: 'DisruptionBudget', message: cause }],
        ...(retryAfterSeconds > 0 && { retryAfterSeconds }),
      },
    },
  ),
})

const refuseSeveral = (): EvictionVerdict => ({
  verdict: 'refuse',
  failure: new ApiFailure(
    500,
    'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    { reason: '' },
  ),
})

/** The status of a budget after one eviction that counts. */
export function afterEviction(budget: Fields, podName: string, now: string): Fields {
  const status = fieldsAt(budget, 'status')
  return {
    ...status,
    disruptionsAllowed: numberAt(status, 'disruptionsAllowed') - 1,
    disruptedPods: { ...fieldsAt(status, 'disruptedPods'), [podName]: now },
  }
}
