import { badRequest } from '#apiserver/failure.ts'
import { type Fields, isFields, put } from '#apiserver/objects.ts'
import { goKindOf } from './go-json.ts'

/**
 * An object with a merge patch (RFC 7386) applied. Throws an `ApiFailure`; changes neither, and
 * shares with both what it can.
 */
export function applyMergePatch(live: Fields, patch: unknown): Fields {
  if (patch === null) throw badRequest('Invalid JSON Patch')
  if (!isFields(patch)) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${goKindOf(patch)} into Go value of type map[string]interface {}`,
    )
  }
  return mergeFields(live, patch)
}

function mergeFields(live: Fields, patch: Fields): Fields {
  const out = { ...live }
  for (const key of Object.keys(patch)) {
    const value = patch[key]
    if (value === null) delete out[key]
    else put(out, key, mergeValue(Object.hasOwn(live, key) ? live[key] : null, value))
  }
  return out
}

function mergeValue(live: unknown, patch: unknown): unknown {
  if (!isFields(live)) return withoutNulls(patch)
  return isFields(patch) ? mergeFields(live, patch) : patch
}

/** In lists too there is nothing that a null could remove. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isFields(value)) return value
  const out: Fields = {}
  for (const key of Object.keys(value)) {
    if (value[key] !== null) put(out, key, withoutNulls(value[key]))
  }
  return out
}
