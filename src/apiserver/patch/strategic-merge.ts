import { badRequest } from '#apiserver/failure.ts'
import { type Fields, isFields, put } from '#apiserver/objects.ts'
import { copyInSteps } from '#apiserver/ownership/copy.ts'
import type { Schema } from '#apiserver/schema.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { goKindOf, shownByGo, unnamedFailure } from './go-json.ts'
import {
  deleteFromListPrefix,
  directive,
  discardNulls,
  setElementOrderPrefix,
  withoutDirectives,
} from './strategic-directives.ts'
import { mergeLists } from './strategic-lists.ts'
import { mergeOrdered } from './strategic-order.ts'
import { ruleOf } from './strategic-rule.ts'

/**
 * An object with a strategic merge patch applied: lists are merged as the schema says. Throws an
 * `ApiFailure`; changes neither.
 */
export function* applyStrategicMergePatch(
  live: Fields,
  patch: unknown,
  schema: Schema,
): Steps<Fields> {
  if (patch === null) return yield* copyInSteps(live)
  if (!isFields(patch)) {
    throw badRequest(
      `json: cannot unmarshal ${goKindOf(patch)} into Go value of type map[string]interface {}`,
    )
  }
  return yield* mergeMaps(yield* copyInSteps(live), yield* copyInSteps(patch), schema)
}

/** Lays a patch over a map; both are used up. */
function* mergeMaps(original: Fields, patch: Fields, schema: Schema | undefined): Steps<Fields> {
  if (Object.hasOwn(patch, directive)) return byDirective(patch)
  retainKeys(original, patch)
  yield* mergeOrdered(original, patch, { schema, mergeItems: mergeMaps })
  for (const key of Object.keys(patch)) {
    yield* mergeField(original, [key, patch[key]], schema)
    if (isDue()) yield
  }
  return original
}

function byDirective(patch: Fields): Fields {
  const { [directive]: wanted, ...rest } = patch
  if (wanted === 'replace') return rest
  if (wanted === 'delete') return {}
  throw unnamedFailure(`unknown patch type: ${shownByGo(wanted)} in map: ${shownByGo(patch)}`)
}

const retainKeysDirective = '$retainKeys'

function retainKeys(original: Fields, patch: Fields): void {
  if (!Object.hasOwn(patch, retainKeysDirective)) return
  const retained = patch[retainKeysDirective]
  delete patch[retainKeysDirective]
  const isComplete = Object.keys(patch).every(
    (key) =>
      patch[key] === null ||
      key.startsWith(deleteFromListPrefix) ||
      key.startsWith(setElementOrderPrefix) ||
      (Array.isArray(retained) && retained.includes(key)),
  )
  if (!Array.isArray(retained) || !isComplete) {
    throw badRequest('invalid patch format of retainKeys')
  }
  for (const key of Object.keys(original)) if (!retained.includes(key)) delete original[key]
}

function* mergeField(
  original: Fields,
  [written, value]: readonly [string, unknown],
  schema: Schema | undefined,
): Steps<void> {
  const isDeletion = written.startsWith(deleteFromListPrefix)
  const key = isDeletion ? listOf(written) : written
  if (value === null) {
    delete original[key]
    return
  }
  const before = Object.hasOwn(original, key) ? original[key] : undefined
  if (isFields(before) && isFields(value)) {
    const { strategy, below } = ruleOf(schema, key)
    put(original, key, strategy === 'replace' ? value : yield* mergeMaps(before, value, below))
  } else if (Array.isArray(before) && Array.isArray(value)) {
    const lists = { original: before, patch: value, isDeletion, mergeItems: mergeMaps }
    put(original, key, yield* mergeLists(lists, ruleOf(schema, key)))
  } else if (!isDeletion) {
    yield* take(original, key, value)
  }
}

function listOf(key: string): string {
  if (!key.startsWith(`${deleteFromListPrefix}/`)) {
    throw badRequest('invalid patch format of primitive list')
  }
  return key.slice(deleteFromListPrefix.length + 1)
}

/** Takes a value from the patch as it is, but for what only means something in a patch. */
function* take(original: Fields, key: string, value: unknown): Steps<void> {
  const taken = yield* withoutDirectives(yield* discardNulls(value))
  if (taken === undefined) delete original[key]
  else put(original, key, taken)
}
