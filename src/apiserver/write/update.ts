import { ApiFailure, conflict, invalid, notFound } from '#apiserver/failure.ts'
import { invalidField } from '#apiserver/field-error.ts'
import {
  keepServerMetadata,
  validateMetadataUpdateInSteps,
} from '#apiserver/metadata/validate-metadata.ts'
import { type Fields, fieldsAt } from '#apiserver/objects.ts'
import { paceOf } from '#apiserver/pace.ts'
import { inTurns, type Steps } from '#apiserver/steps.ts'
import type { Decision, Entry } from '#apiserver/store/store.ts'
import { keyOf, servedInSteps } from '#apiserver/stored-object.ts'
import { type Ask, aboutObject, aboutResource, contextOf, type Writes } from './ask.ts'
import { decide } from './decide.ts'
import { specChanged } from './generation.ts'
import { kindErrors } from './kind-errors.ts'
import { metadataRulesOf } from './metadata-rules.ts'
import { isReleased } from './released.ts'
import type { Written } from './written.ts'

/**
 * What an object is to become: decoded, with defaults, its fields' owners named. It is given what is
 * there, which it does not change, and its result becomes ours. Undefined: it stays as it is.
 */
export type Propose = (live: Fields) => Fields | undefined

/** The same, with pauses. */
type ProposeInSteps = (live: Fields) => Steps<Fields | undefined>

const MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again'

/** Changes an object that is there, in one go: nobody else writes between `live` and the result. */
export const update = (writes: Writes, ask: Ask, propose: Propose): Promise<Written> =>
  updateInSteps(writes, ask, function* (live) {
    yield
    return propose(live)
  })

/** The same. Others get their turn in between; who wants to write to the same object waits. */
export async function updateInSteps(
  writes: Writes,
  ask: Ask,
  propose: ProposeInSteps,
): Promise<Written> {
  const { resource, namespace, name } = ask
  let result: (() => Written) | undefined
  let proposed: Fields | undefined
  const deciding = function* (current: Entry): Steps<Decision> {
    const live = yield* servedInSteps(resource, current)
    yield
    proposed = yield* propose(live)
    yield
    const next = proposed ? yield* changed(writes, ask, { live, next: proposed }) : live
    yield
    const isGone = isReleased(resource, next)
    // What goes with its last finalizer is told to watchers as it was kept, and to its writer as it was asked for.
    const outcome = { live, next: isGone ? live : next, isGone }
    const change = yield* decide(ask, current, outcome)
    result = isGone ? () => ({ object: next, outcome: 'removed' }) : change.result
    return change.decision
  }
  try {
    await writes.store.write(keyOf(resource, namespace, name), (current) => {
      if (!current) throw notFound(aboutResource(ask, name))
      return inTurns(paceOf(writes.clock), deciding(current))
    })
  } finally {
    if (proposed) resource.behaviour.settle?.(proposed)
  }
  if (!result) throw new Error('a write was not decided')
  return result()
}

interface Pair {
  live: Fields
  next: Fields
}

/** The new object with all that is the server's to say, and found to be right. */
function* changed(writes: Writes, ask: Ask, { live, next }: Pair): Steps<Fields> {
  demandVersion(ask, live, next)
  const { behaviour } = ask.resource
  const context = contextOf(writes, ask)
  behaviour.prepareUpdate?.(next, live, context)
  const before = fieldsAt(live, 'metadata')
  const metadata: Fields = {
    ...fieldsAt(next, 'metadata'),
    resourceVersion: before.resourceVersion,
  }
  if (before.namespace !== undefined) metadata.namespace ??= before.namespace
  keepServerMetadata(metadata, before)
  const isCounted = behaviour.hasGeneration && ask.subresource !== 'status'
  if (isCounted && (yield* specChanged(ask.resource, live, next))) {
    metadata.generation = Number(before.generation ?? 0) + 1
  }
  next.metadata = metadata
  ask.guard?.(next, live)
  const wrong = yield* validateMetadataUpdateInSteps(
    metadata,
    before,
    metadataRulesOf(ask.resource),
  )
  const errors = [
    // Kubernetes looks twice, and tells of both.
    ...wrong,
    ...wrong,
    ...(yield* kindErrors(
      behaviour,
      { object: next, old: live },
      { ...context, metadataErrors: wrong },
    )),
  ]
  if (errors.length > 0) throw invalid(aboutObject(ask, next, ask.name), errors)
  return next
}

function demandVersion(ask: Ask, live: Fields, next: Fields): void {
  const { resourceVersion, uid } = fieldsAt(next, 'metadata')
  demandNumber(resourceVersion)
  const before = fieldsAt(live, 'metadata')
  const about = aboutResource(ask, ask.name)
  if (uid && uid !== before.uid && ask.method === 'put')
    throw conflict(about, otherUid(ask, uid, before.uid))
  if (!resourceVersion || resourceVersion === '0') {
    if (ask.resource.behaviour.allowsUnconditionalUpdate || ask.subresource === 'scale') return
    throw invalid(about, [
      invalidField('metadata.resourceVersion', 0, 'must be specified for an update'),
    ])
  }
  if (resourceVersion !== before.resourceVersion) throw conflict(about, MODIFIED)
}

/** Fails if a resourceVersion is told that cannot be one. */
export function demandNumber(version: unknown): void {
  if (version && !/^\d+$/.test(String(version))) throw notANumber(version)
}

const notANumber = (version: unknown): ApiFailure =>
  new ApiFailure(500, `strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`, {
    reason: '',
  })

/** An object of the name is not the one that the writer means. */
export const otherUid = (
  { resource, namespace, name }: Ask,
  asked: unknown,
  found: unknown,
): string => {
  const path = ['/registry', resource.group, resource.plural, namespace, name].filter(Boolean)
  return `StorageError: invalid object, Code: 4, Key: ${path.join('/')}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${asked}, UID in object meta: ${found}`
}
