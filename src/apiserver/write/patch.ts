import { ApiFailure, badRequest, invalid } from '#apiserver/failure.ts'
import { invalidField } from '#apiserver/field-error.ts'
import { jsonInSteps } from '#apiserver/json-text.ts'
import { type Fields, isFields } from '#apiserver/objects.ts'
import { copyInSteps } from '#apiserver/ownership/copy.ts'
import { applyJsonPatch } from '#apiserver/patch/json-patch.ts'
import { applyMergePatch } from '#apiserver/patch/merge-patch.ts'
import { applyStrategicMergePatch } from '#apiserver/patch/strategic-merge.ts'
import type { Schema } from '#apiserver/schema.ts'
import type { Steps } from '#apiserver/steps.ts'
import type { Ask, Writes } from './ask.ts'
import { decodedInSteps } from './decode-body.ts'
import { ownedInSteps } from './owned.ts'
import { demandNames } from './put.ts'
import { updateInSteps } from './update.ts'
import type { Written } from './written.ts'

export interface Patching {
  type: 'json' | 'merge' | 'strategic'
  patch: unknown
}

/** Patches an object that is there. */
export function patch(writes: Writes, ask: Ask, patching: Patching): Promise<Written> {
  return updateInSteps(writes, { ...ask, method: 'patch' }, function* (live) {
    const given = yield* patched(live, patching, ask.resource.schema)
    yield
    const next = yield* decodedPatch(ask, given, patching)
    demandNames(ask, next)
    yield
    return yield* ownedInSteps(writes, ask, { live, next })
  })
}

/** An object that a patch made, decoded; where it cannot be, it is the patch that is refused. */
export function* decodedPatch(ask: Ask, given: Fields, { type, patch }: Patching): Steps<Fields> {
  try {
    return yield* decodedInSteps(ask, { given })
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== 400) throw error
    const shown = type === 'strategic' ? patch : given
    const why = error.message.replace(/^.*? cannot be handled as a \w+: /, '')
    const problem = invalidField('patch', yield* jsonInSteps(shown), why)
    throw invalid({ group: '', kind: '' }, [problem])
  }
}

/** A patched object. What it was made from is not changed. */
export function* patched(live: Fields, { type, patch }: Patching, schema: Schema): Steps<Fields> {
  if (type === 'merge') return yield* copyInSteps(yield* applyMergePatch(live, patch))
  if (type === 'strategic') return yield* applyStrategicMergePatch(live, patch, schema)
  const next = yield* applyJsonPatch(live, patch)
  if (isFields(next)) return next
  throw badRequest('the patch leaves no object')
}
