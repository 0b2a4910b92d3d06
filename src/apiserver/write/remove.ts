import { conflict, forbidden, notFound } from '#apiserver/failure.ts'
import { type Fields, fieldsAt, listAt, timestampOf } from '#apiserver/objects.ts'
import { paceOf } from '#apiserver/pace.ts'
import type { Resource } from '#apiserver/resource.ts'
import { inTurns, type Steps } from '#apiserver/steps.ts'
import type { Decision, Entry } from '#apiserver/store/store.ts'
import { keyOf, servedInSteps } from '#apiserver/stored-object.ts'
import { type Ask, aboutResource, type Writes } from './ask.ts'
import { decide } from './decide.ts'
import { isNamespace, isReleased } from './released.ts'
import type { RemoveOptions } from './remove-options.ts'
import type { Written } from './written.ts'

// The API itself lives in these.
const KEPT = new Set(['default', 'kube-system', 'kube-public'])
const ORPHAN = 'orphan'
const FOREGROUND = 'foregroundDeletion'

/** Deletes an object, or marks it as deleted until its finalizers and its grace period are done. */
export async function remove(writes: Writes, ask: Ask, options: RemoveOptions): Promise<Written> {
  const { resource, namespace, name } = ask
  let result: (() => Written) | undefined
  const deciding = function* (current: Entry): Steps<Decision> {
    const live = yield* servedInSteps(resource, current)
    yield
    if (isNamespace(resource) && KEPT.has(name)) {
      throw forbidden(aboutResource(ask, name), 'this namespace may not be deleted')
    }
    demandPreconditions(ask, live, options)
    const next = marked(resource, live, { ...options, now: writes.clock.now() })
    const isGone = isReleased(resource, next)
    // What goes at once is shown as it last was, and marked only if it could have had time.
    const isShownMarked = !isGone || resource.behaviour.gracePeriodSeconds !== undefined
    const outcome = { live, next: isShownMarked ? next : live, isGone }
    const change = yield* decide(ask, current, outcome)
    result = change.result
    return change.decision
  }
  await writes.store.write(keyOf(resource, namespace, name), (current) => {
    if (!current) throw notFound(aboutResource(ask, name))
    return inTurns(paceOf(writes.clock), deciding(current))
  })
  if (!result) throw new Error('a removal was not decided')
  return result()
}

function demandPreconditions(ask: Ask, live: Fields, { preconditions }: RemoveOptions): void {
  const { uid, resourceVersion } = fieldsAt(live, 'metadata')
  const about = { group: ask.resource.group, kind: ask.resource.kind, name: ask.name }
  if (preconditions?.uid !== undefined && preconditions.uid !== uid) {
    throw conflict(
      about,
      `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    )
  }
  const version = preconditions?.resourceVersion
  if (version !== undefined && version !== resourceVersion) {
    throw conflict(
      about,
      `the ResourceVersion in the precondition (${version}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    )
  }
}

/** The object, marked as deleted, with the finalizers that the way of deleting asks for. */
function marked(resource: Resource, live: Fields, options: RemoveOptions & { now: Date }): Fields {
  const metadata = fieldsAt(live, 'metadata')
  const finalizers = finalizersFor(resource, metadata, options)
  const grace = graceFor(resource, live, options)
  const before = metadata.deletionTimestamp
  const pending = Number(metadata.deletionGracePeriodSeconds ?? 0)
  const isLonger = before !== undefined && grace >= pending && pending > 0
  const next: Fields = {
    ...metadata,
    ...(before === undefined && metadata.generation !== undefined
      ? { generation: Number(metadata.generation) + 1 }
      : {}),
    ...(isLonger ? {} : deletionMarks(metadata, grace, options.now)),
  }
  const { finalizers: _, ...rest } = next
  const object = { ...live, metadata: { ...rest, ...(finalizers.length > 0 && { finalizers }) } }
  if (isNamespace(resource)) return terminating(object)
  return resource.behaviour.markDeleted?.(object, live, timestampOf(options.now)) ?? object
}

/** A namespace shows in its phase that it goes, and has no grace period. */
function terminating(namespace: Fields): Fields {
  const { deletionGracePeriodSeconds: _, ...metadata } = fieldsAt(namespace, 'metadata')
  const status = { ...fieldsAt(namespace, 'status'), phase: 'Terminating' }
  return { ...namespace, metadata, status }
}

function deletionMarks(metadata: Fields, grace: number, now: Date): Fields {
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata
  if (deletionTimestamp === undefined) {
    const at = timestampOf(new Date(now.getTime() + grace * 1000))
    return { deletionTimestamp: at, deletionGracePeriodSeconds: grace }
  }
  if (Number(deletionGracePeriodSeconds ?? 0) === 0) return {}
  // A grace period can only become shorter.
  const earlier =
    Date.parse(String(deletionTimestamp)) - (Number(deletionGracePeriodSeconds) - grace) * 1000
  const at = timestampOf(new Date(Math.max(earlier, now.getTime())))
  return { deletionTimestamp: at, deletionGracePeriodSeconds: grace }
}

function graceFor(resource: Resource, live: Fields, { gracePeriodSeconds }: RemoveOptions): number {
  const asked = gracePeriodSeconds !== undefined && gracePeriodSeconds < 0 ? 1 : gracePeriodSeconds
  return resource.behaviour.gracePeriodSeconds?.(live, asked) ?? 0
}

/** What happens to dependents is told to the garbage collector by finalizers. */
function finalizersFor(resource: Resource, metadata: Fields, options: RemoveOptions): unknown[] {
  const before = listAt(metadata, 'finalizers')
  const policy = options.propagation ?? stated(before) ?? resource.behaviour.defaultPropagation
  const own = metadata.deletionTimestamp ? [] : (resource.behaviour.deletionFinalizers ?? [])
  const rest = before.filter((one) => one !== ORPHAN && one !== FOREGROUND)
  const kept = [...new Set([...rest, ...own])]
  if (policy === 'Orphan') return [...kept, ORPHAN]
  return policy === 'Foreground' ? [...kept, FOREGROUND] : kept
}

function stated(finalizers: unknown[]): RemoveOptions['propagation'] {
  if (finalizers.includes(ORPHAN)) return 'Orphan'
  return finalizers.includes(FOREGROUND) ? 'Foreground' : undefined
}
