import type { ApiKind, Kind, KubeObject } from '#api/meta.ts'
import { sameJson } from '#base/same-json.ts'
import type { CallOptions } from '#kube/caller.ts'
import type { KubeClient } from '#kube/client.ts'
import {
  conditionsIn,
  conditionsOf,
  entriesIn,
  inSeconds,
  ownOf,
  type Verdicts,
} from './conditions.ts'
import { failureCode, failureWords } from './failure-code.ts'
import { type Amendment, no } from './plan.ts'
import { WRITTEN_BY } from './written-by.ts'

/** A status as it is compared and sent. */
export type Status = Readonly<Record<string, unknown>>

interface Judged {
  kind: Kind
  resource: KubeObject
  /** What the plan says. Left out: there was none, and what the status said stays. */
  plan?: { status: object; conditions: Verdicts } | undefined
  /** What went wrong, which then is what Ready says. */
  failure?: unknown
  /** What the failure changes in what the plan says. */
  amendment?: Amendment | undefined
  /** The field that says when another one last changed, if there is one. */
  updatedField?: string | undefined
  now: Date
}

/** The status that a resource is to have after a pass. */
export function statusAfter(judged: Judged): Status {
  const { updatedField, resource, kind, now } = judged
  const status = fieldsAfter(judged)
  if (updatedField === undefined) return status
  const before = recordIn(resource.status)[updatedField]
  // What says the same as before was not updated, however often it is looked at.
  const asBefore = { ...status, [updatedField]: before }
  if (before !== undefined && isSaid(kind, resource, asBefore)) return asBefore
  return { ...status, [updatedField]: inSeconds(now) }
}

function fieldsAfter({ kind, resource, plan, failure, amendment, now }: Judged): Status {
  const { generation } = resource.metadata
  const failed = failure !== undefined && { Ready: no(failureCode(failure), failureWords(failure)) }
  const stated = conditionsOf({
    kind,
    verdicts: { ...plan?.conditions, ...failed, ...amendment?.conditions },
    previous: resource.status,
    generation,
    now,
  })
  // Nobody has judged these anew, so they say of which generation they speak.
  const isStated = (type: string) => stated.some((one) => one.type === type)
  const kept = plan ? [] : conditionsIn(resource.status).filter(({ type }) => !isStated(type))
  return {
    ...(plan ? plan.status : recordIn(resource.status)),
    ...amendment?.status,
    conditions: ownOf(kind, [...stated, ...kept]),
    ...(generation !== undefined && { observedGeneration: generation }),
  }
}

/** Whether the resource says all of this already, and nothing else. */
export const isSaid = (kind: Kind, resource: KubeObject, status: Status): boolean =>
  sameJson(ourPartOf(kind, resource.status), status)

/** A status without the conditions that are not the kind's own: those have another writer. */
export function ourPartOf(kind: Kind, status: unknown): Status {
  const record = recordIn(status)
  if (!('conditions' in record)) return record
  return { ...record, conditions: ownOf(kind, conditionsIn(status)) }
}

/**
 * Writes a status: the fields become ours and get these values, those that we wrote before and leave out
 * go away. Refused as a Conflict if the resource is no longer of the version that it has here.
 */
export async function writeStatus(
  client: KubeClient,
  kind: Kind,
  { resource, status, ...options }: { resource: KubeObject; status: Status } & CallOptions,
): Promise<KubeObject> {
  const { name, namespace, resourceVersion: seen } = resource.metadata
  // Of this very version: a uid would be ignored here, and the name may be another object's by now.
  const metadata = { name, ...(namespace && { namespace }), ...(seen && { resourceVersion: seen }) }
  const call = { ...options, fieldManager: WRITTEN_BY, priority: 'user' as const }
  const applied = await client.apply<ApiKind>(
    kind,
    { metadata, status },
    { ...call, force: true, subresource: 'status' },
  )
  const leftover = leftoverIn(kind, applied.status, status)
  if (!leftover) return applied
  // Whoever wrote these before us never takes them back: an operator that was here before, mostly.
  const { resourceVersion } = applied.metadata
  return client.patch<ApiKind>(
    kind,
    { name, ...(namespace && { namespace }), subresource: 'status' },
    { ...call, type: 'merge', body: { metadata: { resourceVersion }, status: leftover } },
  )
}

/** The merge patch that takes away what is there and not wanted, if there is such a thing. */
function leftoverIn(kind: Kind, found: unknown, wanted: Status): object | undefined {
  const { conditions: _, ...fields } = recordIn(found)
  const removals = removalsIn(fields, wanted)
  const types = new Set(conditionsIn(wanted).map(({ type }) => type))
  const isWanted = (entry: unknown) => {
    const { type } = recordIn(entry)
    return typeof type !== 'string' || types.has(type) || !Object.hasOwn(kind.conditions, type)
  }
  const entries = entriesIn(found)
  const conditions = entries.filter(isWanted)
  if (conditions.length < entries.length) return { ...removals, conditions }
  return Object.keys(removals).length > 0 ? removals : undefined
}

/** The fields that are too much, at whatever depth, each of them null. */
const removalsIn = (found: Status, wanted: Status): Status =>
  Object.fromEntries(
    Object.keys(found).flatMap((field): [string, unknown][] => {
      const [is, wish] = [found[field], wanted[field]]
      if (wish === undefined) return [[field, null]]
      const below = isRecord(is) && isRecord(wish) ? removalsIn(is, wish) : {}
      return Object.keys(below).length > 0 ? [[field, below]] : []
    }),
  )

const isRecord = (value: unknown): value is Status =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const recordIn = (status: unknown): Status => (isRecord(status) ? status : {})
