import { Machine } from '#api/machine.ts'
import type { Kind, KubeObject } from '#api/meta.ts'
import { type Condition, conditionsIn, ownOf } from '#runtime/conditions.ts'
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
  const counted = new Map<string, ConditionNumbers>()
  const notReady: NotReady[] = []
  for (const [kind, object] of unrestrained(kinds, list)) {
    const conditions = ownOf(kind, conditionsIn(object.status))
    for (const condition of conditions) {
      const numbers = numbersOf(kind, condition)
      const id = `${kind.kind} ${condition.type} ${condition.status} ${condition.reason}`
      counted.set(id, together(counted.get(id), numbers))
    }
    const why = kind === Machine ? undefined : whyNotReady(kind, object, conditions)
    if (why) notReady.push(why)
  }
  return { conditions: [...counted.values()], notReady }
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

const numbersOf = (
  { kind }: Kind,
  { type, status, reason, lastTransitionTime }: Condition,
): ConditionNumbers => ({
  ...{ kind, type, status, reason },
  ...{ objects: 1, sinceSeconds: secondsOf(lastTransitionTime) },
})

const together = (known: ConditionNumbers | undefined, one: ConditionNumbers): ConditionNumbers =>
  known
    ? {
        ...known,
        objects: known.objects + one.objects,
        sinceSeconds: Math.min(known.sinceSeconds, one.sinceSeconds),
      }
    : one

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
