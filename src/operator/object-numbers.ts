import { Machine } from '#api/machine.ts'
import type { Kind, KubeObject } from '#api/meta.ts'
import { type Condition, conditionsIn } from '#runtime/conditions.ts'
import type { ConditionNumbers, NotReady, ObjectNumbers } from '#runtime/metrics.ts'
import { isRestrained } from '#runtime/reconcile-mode.ts'

// No pass has said anything of such an object yet.
const NOT_LOOKED_AT = 'NotLookedAt'

/**
 * What the conditions of all objects of these kinds say, for metrics. Owners come before what they own: who is set to `disable` or
 * `dryrun`, or belongs to one that is, is left out, for whoever set that knows. Machines are only counted: of a cluster there are few
 * objects, of machines there may be thousands.
 */
export function objectNumbers(kinds: readonly Kind[], list: List): ObjectNumbers {
  const counted = new Map<string, Tally>()
  const notReady: NotReady[] = []
  for (const [kind, object] of unrestrained(kinds, list)) {
    const conditions = conditionsIn(object.status).filter(({ type }) =>
      Object.hasOwn(kind.conditions, type),
    )
    for (const condition of conditions) count(counted, kind, condition)
    const why = kind === Machine ? undefined : whyNotReady(kind, object, conditions)
    if (why) notReady.push(why)
  }
  const conditions = [...counted.values()].map(({ since, ...said }) => ({
    ...said,
    sinceSeconds: secondsOf(since),
  }))
  return { conditions, notReady }
}

type List = (kind: Kind) => readonly KubeObject[]

function* unrestrained(kinds: readonly Kind[], list: List): Generator<[Kind, KubeObject]> {
  const restrained = new Set<string | undefined>()
  for (const kind of kinds) {
    for (const object of list(kind)) {
      const { uid, ownerReferences = [] } = object.metadata
      const isHeld = isRestrained(object) || ownerReferences.some((one) => restrained.has(one.uid))
      if (isHeld) restrained.add(uid)
      else yield [kind, object]
    }
  }
}

/** Of the conditions that say the same. Times as Kubernetes writes them are in order as texts. */
interface Tally extends Omit<ConditionNumbers, 'sinceSeconds'> {
  since: string
}

function count(
  counted: Map<string, Tally>,
  { kind }: Kind,
  { type, status, reason, lastTransitionTime: since }: Condition,
): void {
  const id = `${kind} ${type} ${status} ${reason}`
  const known = counted.get(id)
  if (!known) {
    counted.set(id, { kind, type, status, reason, objects: 1, since })
    return
  }
  known.objects += 1
  if (since < known.since) known.since = since
}

function whyNotReady(
  { kind }: Kind,
  { metadata }: KubeObject,
  conditions: readonly Condition[],
): NotReady | undefined {
  const { namespace = '', name, creationTimestamp = '' } = metadata
  const ready = conditions.find(({ type }) => type === 'Ready')
  if (ready?.status === 'True') return undefined
  const { reason, lastTransitionTime } = ready ?? {
    ...{ reason: NOT_LOOKED_AT, lastTransitionTime: creationTimestamp },
  }
  return { kind, namespace, name, reason, sinceSeconds: secondsOf(lastTransitionTime) }
}

const secondsOf = (time: string): number => Date.parse(time) / 1_000 || 0
