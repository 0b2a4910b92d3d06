import { ApiFailure, badRequest, conflict, notFound } from '#apiserver/failure.ts'
import { type Fields, fieldsAt, timestampOf } from '#apiserver/objects.ts'
import { type Applied, applyInSteps } from '#apiserver/ownership/apply-configuration.ts'
import { copyInSteps } from '#apiserver/ownership/copy.ts'
import { paceOf } from '#apiserver/pace.ts'
import { inTurns, type Steps } from '#apiserver/steps.ts'
import { keyOf } from '#apiserver/stored-object.ts'
import { type Ask, aboutResource, type Writes } from './ask.ts'
import { create } from './create.ts'
import { decodedInSteps, repeatProblems } from './decode-body.ts'
import { doorOf, emptyOf } from './owned.ts'
import { demandNames } from './put.ts'
import { updateInSteps } from './update.ts'
import type { Written } from './written.ts'

export interface Applying {
  config: Fields
  /** Where keys are in it that are there twice. */
  repeated?: readonly string[]
  /** Take over what others own. */
  force: boolean
}

/** Server-side apply: makes an object be as its writer wants it, as far as the writer has a say. */
export async function apply(writes: Writes, asked: Ask, applying: Applying): Promise<Written> {
  const ask: Ask = { ...asked, method: 'apply' }
  const { resource, namespace, name, subresource } = ask
  const { config, repeated = [], force } = applying
  const apply = function* (live?: Fields): Steps<Applied> {
    const applied = yield* applyInSteps({
      ...{ door: doorOf(ask), kind: resource.kind, ...(live && { live }) },
      ...{ empty: emptyOf(resource), config, writer: ask.owner, force },
      now: timestampOf(writes.clock.now()),
    })
    tellOfRepeats(ask, repeated)
    return applied
  }
  if (!writes.store.get(keyOf(resource, namespace, name))) {
    if (subresource && !resource.behaviour.allowsCreateOnUpdate) {
      throw notFound(aboutResource(ask, name))
    }
    const { uid } = fieldsAt(config, 'metadata')
    if (uid) throw conflict(aboutResource(ask, name), noneOfUid(uid))
    ask.demandVerb?.('create')
    const made = await createUnlessThere(writes, ask, apply())
    if (made) return made
  }
  return updateInSteps(writes, ask, function* (live) {
    const { object, isUnchanged } = yield* apply(live)
    demandNames(ask, config)
    yield
    // What changes nothing is checked like anything else: for its writer is warned of it each time.
    return isUnchanged ? yield* copyInSteps(live) : yield* decodedInSteps(ask, { given: object })
  })
}

function tellOfRepeats({ fieldValidation, warn }: Ask, repeated: readonly string[]): void {
  if (fieldValidation === 'Ignore') return
  for (const problem of repeatProblems(repeated, fieldValidation)) {
    if (fieldValidation === 'Warn') warn(problem)
    else throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${problem}`)
  }
}

const noneOfUid = (uid: unknown): string =>
  `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`

function* decodedApplied(ask: Ask, applying: Steps<Applied>): Steps<Fields> {
  const { object } = yield* applying
  return yield* decodedInSteps(ask, { given: object })
}

/** Undefined if somebody else was faster. */
async function createUnlessThere(
  writes: Writes,
  ask: Ask,
  applying: Steps<Applied>,
): Promise<Written | undefined> {
  try {
    const object = await inTurns(paceOf(writes.clock), decodedApplied(ask, applying))
    demandNames(ask, object)
    return await create(writes, ask, { object, isOwned: true })
  } catch (error) {
    if (error instanceof ApiFailure && error.reason === 'AlreadyExists') return undefined
    throw error
  }
}
