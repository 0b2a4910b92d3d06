import { randomUUID } from 'node:crypto'
import { ApiFailure, alreadyExists, badRequest, forbidden, invalid } from '#apiserver/failure.ts'
import { isLight } from '#apiserver/json-text.ts'
import { generateName } from '#apiserver/metadata/generate-name.ts'
import { validateMetadataInSteps } from '#apiserver/metadata/validate-metadata.ts'
import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'
import { copyInSteps } from '#apiserver/ownership/copy.ts'
import { paceOf } from '#apiserver/pace.ts'
import { inTurns, type Steps } from '#apiserver/steps.ts'
import { bytesOf, keyOf, objectIn, type Text, textInSteps } from '#apiserver/stored-object.ts'
import { type Ask, aboutObject, aboutResource, contextOf, type Writes } from './ask.ts'
import { kindErrors } from './kind-errors.ts'
import { metadataRulesOf } from './metadata-rules.ts'
import { demandNamespace } from './namespaces.ts'
import { ownedInSteps } from './owned.ts'
import { demandNumber } from './update.ts'
import { asStored, type Written } from './written.ts'

const TRIES_FOR_A_NAME = 8

interface Draft {
  /** Decoded, with defaults. It becomes ours. */
  object: Fields
  /** Whether the object says already who owns its fields. */
  isOwned?: boolean
}

/** Creates an object: all or nothing. Fails with what is wrong with it, or with what is in its way. */
export async function create(writes: Writes, ask: Ask, draft: Draft): Promise<Written> {
  const { object } = draft
  if (ask.resource.refusesCreates) {
    throw forbidden(aboutResource(ask, nameOf(object)), ask.resource.refusesCreates)
  }
  demandOwnNamespace(ask, object)
  const { name = '' } = fieldsAt(object, 'metadata')
  demandNamespace(writes.store, ask, String(name))
  const next = withoutServerMetadata(object)
  const pace = paceOf(writes.clock)
  let owned: Fields | undefined = draft.isOwned ? next : undefined
  const isNamed = textAt(fieldsAt(object, 'metadata'), 'name') !== undefined
  const readied = function* (): Steps<Fields> {
    owned ??= yield* ownedInSteps(writes, ask, { next })
    // Another attempt starts from the same draft, in which a Job may share its labels with its pods.
    return yield* prepared(writes, ask, isNamed ? owned : yield* copyOfDraft(owned))
  }
  for (let attempt = 1; ; attempt++) {
    const ready = await inTurns(pace, readied())
    try {
      demandNoVersion(ask, object)
      const written = await createOnce(writes, ask, ready)
      if (written) return written
    } finally {
      ask.resource.behaviour.settle?.(ready)
    }
    if (isNamed || attempt === TRIES_FOR_A_NAME) {
      throw nameTaken(writes, ask, nameOf(ready))
    }
  }
}

/** What is shared in it is so in the copy, unless it is very large. */
function* copyOfDraft(draft: Fields): Steps<Fields> {
  return isLight(draft) ? structuredClone(draft) : yield* copyInSteps(draft)
}

/** The same, when what has the name is about to go. */
function nameTaken({ store }: Writes, ask: Ask, name: string): ApiFailure {
  const entry = store.get(keyOf(ask.resource, ask.namespace, name))
  const failure = alreadyExists(aboutResource(ask, name))
  if (!entry || !fieldsAt(objectIn(entry), 'metadata').deletionTimestamp) return failure
  return new ApiFailure(409, `object is being deleted: ${failure.message}`, {
    reason: 'AlreadyExists',
    details: fieldsAt(failure.status, 'details'),
  })
}

function demandOwnNamespace({ resource, namespace }: Ask, object: Fields): void {
  const { namespace: stated } = fieldsAt(object, 'metadata')
  if (!stated || stated === namespace) return
  if (!resource.namespaced) return
  throw badRequest(
    'the namespace of the provided object does not match the namespace sent on the request',
  )
}

/** Nothing is created deleted. */
function withoutServerMetadata(object: Fields): Fields {
  const { deletionTimestamp, deletionGracePeriodSeconds, selfLink, ...metadata } = fieldsAt(
    object,
    'metadata',
  )
  return { ...object, metadata }
}

/** With all that is the server's to say, and found to be right. */
function* prepared(writes: Writes, ask: Ask, given: Fields): Steps<Fields> {
  const { behaviour } = ask.resource
  const context = contextOf(writes, ask)
  const object = { ...given, metadata: newMetadata(ask, given, context.now) }
  behaviour.prepareCreate?.(object, context)
  const { metadata } = object
  const metadataErrors = yield* validateMetadataInSteps(metadata, metadataRulesOf(ask.resource))
  ask.guard?.(object, undefined)
  const errors = [
    ...metadataErrors,
    ...(yield* kindErrors(behaviour, { object, old: undefined }, { ...context, metadataErrors })),
  ]
  if (errors.length > 0) throw invalid(aboutObject(ask, object, nameOf(object)), errors)
  return object
}

function newMetadata(ask: Ask, given: Fields, now: string): Fields {
  const { resource, namespace, method, dryRun } = ask
  const { resourceVersion, generation, ...stated } = fieldsAt(given, 'metadata')
  if (method !== undefined) demandNumber(resourceVersion)
  // What is not stored keeps the version that it was sent with.
  const metadata: Fields = dryRun && resourceVersion ? { ...stated, resourceVersion } : stated
  const base = textAt(metadata, 'generateName')
  if (!textAt(metadata, 'name') && base) metadata.name = generateName(base)
  // In the cluster's own kinds a namespace means nothing.
  if (resource.namespaced) metadata.namespace = namespace
  else delete metadata.namespace
  metadata.uid = randomUUID()
  if (resource.behaviour.hasGeneration) metadata.generation = 1
  else if (generation !== undefined) metadata.generation = generation
  metadata.creationTimestamp = now
  return metadata
}

/** Kubernetes finds it when it stores the object, and takes what is no number for none. */
function demandNoVersion({ method, dryRun }: Ask, object: Fields): void {
  const { resourceVersion } = fieldsAt(object, 'metadata')
  const version = /^\d+$/.test(String(resourceVersion)) ? Number(resourceVersion) : 0
  if (dryRun || method !== undefined || version === 0 || version >= 2 ** 64) return
  throw new ApiFailure(500, 'resourceVersion should not be set on objects to be created', {
    reason: '',
  })
}

const nameOf = (object: Fields): string => textAt(fieldsAt(object, 'metadata'), 'name') ?? ''

function* writing({ resource }: Ask, object: Fields): Steps<Text> {
  const stored = asStored(resource, object)
  yield
  return yield* textInSteps(stored)
}

/** Undefined when the name is taken. */
async function createOnce(writes: Writes, ask: Ask, object: Fields): Promise<Written | undefined> {
  const key = keyOf(ask.resource, ask.namespace, nameOf(object))
  if (ask.dryRun) {
    return writes.store.get(key) ? undefined : { object, outcome: 'created' }
  }
  const text = await inTurns(paceOf(writes.clock), writing(ask, object))
  let bytes: Buffer | undefined
  let isTaken = false
  await writes.store.write(key, (current) => {
    // Someone may have ended the namespace, or the kind, while this object waited for its turn.
    ask.demandServed?.()
    demandNamespace(writes.store, ask, nameOf(object))
    isTaken = current !== undefined
    if (isTaken) return 'leave'
    return {
      put: (revision) => {
        bytes = bytesOf(text, revision)
        return bytes
      },
    }
  })
  return isTaken || !bytes ? undefined : { bytes, outcome: 'created' }
}
