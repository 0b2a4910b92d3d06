import { badRequest } from '#apiserver/failure.ts'
import { type Fields, isFields, put } from '#apiserver/objects.ts'
import { sharedCopyOf } from '#apiserver/ownership/copy.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { goKindOf } from './go-json.ts'

/**
 * An object with a merge patch (RFC 7386) applied. Throws an `ApiFailure`; changes neither, and
 * shares with both what it can.
 */
export function* applyMergePatch(live: Fields, patch: unknown): Steps<Fields> {
  if (patch === null) throw badRequest('Invalid JSON Patch')
  if (!isFields(patch)) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${goKindOf(patch)} into Go value of type map[string]interface {}`,
    )
  }
  return yield* mergeFields(live, patch)
}

function* mergeFields(live: Fields, patch: Fields): Steps<Fields> {
  const out = yield* sharedCopyOf(live)
  for (const key of Object.keys(patch)) {
    const value = patch[key]
    const before = Object.hasOwn(live, key) ? live[key] : null
    if (isDue()) yield
    if (value === null) delete out[key]
    else put(out, key, typeof value === 'object' ? yield* mergeValue(before, value) : value)
  }
  return out
}

function* mergeValue(live: unknown, patch: unknown): Steps<unknown> {
  if (!isFields(live)) return yield* withoutNulls(patch)
  return isFields(patch) ? yield* mergeFields(live, patch) : patch
}

/** In lists too there is nothing that a null could remove. */
function* withoutNulls(value: unknown): Steps<unknown> {
  if (Array.isArray(value)) return yield* itemsWithoutNulls(value)
  if (!isFields(value)) return value
  const out: Fields = {}
  for (const key of Object.keys(value)) {
    const one = value[key]
    if (isDue()) yield
    if (one !== null) put(out, key, typeof one === 'object' ? yield* withoutNulls(one) : one)
  }
  return out
}

function* itemsWithoutNulls(list: readonly unknown[]): Steps<unknown[]> {
  const out: unknown[] = []
  for (const item of list) {
    out.push(typeof item === 'object' ? yield* withoutNulls(item) : item)
    if (isDue()) yield
  }
  return out
}
