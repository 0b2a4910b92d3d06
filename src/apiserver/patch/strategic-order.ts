import { badRequest } from '#apiserver/failure.ts'
import { type Fields, isFields, put } from '#apiserver/objects.ts'
import type { Schema } from '#apiserver/schema.ts'
import type { Steps } from '#apiserver/steps.ts'
import { shownByGo, unnamedFailure } from './go-json.ts'
import { identityOf, inOrder } from './list-order.ts'
import {
  directive,
  hasDirective,
  setElementOrderPrefix,
  withoutDirectives,
} from './strategic-directives.ts'
import { areMaps, type MergeItems, mergeLists } from './strategic-lists.ts'
import { type Rule, ruleOf } from './strategic-rule.ts'

/**
 * Merges the lists for which the patch gives an order (`$setElementOrder/<list>`), and takes them out
 * of the patch.
 */
export function* mergeOrdered(
  original: Fields,
  patch: Fields,
  { schema, mergeItems }: Below,
): Steps<void> {
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(setElementOrderPrefix)) continue
    if (!key.startsWith(`${setElementOrderPrefix}/`)) {
      throw badRequest('invalid patch format of setElementOrder list')
    }
    const name = key.slice(setElementOrderPrefix.length + 1)
    const order = asList(patch[key])
    delete patch[key]
    const before = Object.hasOwn(original, name) ? asList(original[name]) : undefined
    const wanted = Object.hasOwn(patch, name) ? asList(patch[name]) : undefined
    const merged = yield* mergeInOrder({ before, wanted, order, mergeItems }, ruleOf(schema, name))
    if (merged === undefined) continue
    put(original, name, merged)
    delete patch[name]
  }
}

interface Below {
  readonly schema: Schema | undefined
  readonly mergeItems: MergeItems
}

interface Lists {
  readonly before: readonly unknown[] | undefined
  readonly wanted: readonly unknown[] | undefined
  readonly order: readonly unknown[]
  readonly mergeItems: MergeItems
}

function* mergeInOrder(lists: Lists, rule: Rule): Steps<unknown[] | undefined> {
  const { before = [], wanted = [], order } = lists
  checkOrder(wanted, order, rule.mergeKey)
  if (lists.before === undefined && lists.wanted === undefined) return undefined
  const merged = yield* mergedOf(lists, rule)
  const isMaps = areMaps(before, wanted)
  return yield* inOrder({ merged, order, server: before }, isMaps ? rule.mergeKey : '')
}

function* mergedOf({ before, wanted, mergeItems }: Lists, rule: Rule): Steps<readonly unknown[]> {
  if (wanted === undefined) return before ?? []
  if (before === undefined) return asList(yield* withoutDirectives(wanted))
  return yield* mergeLists({ original: before, patch: wanted, isDeletion: false, mergeItems }, rule)
}

const asList = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value
  const got = isFields(value) ? 'map[string]interface {}' : typeof value
  throw unnamedFailure(`expected a []interface {}, but received a ${got}`)
}

/** The items of a patch must be in the order that the patch itself gives. */
function checkOrder(wanted: readonly unknown[], order: readonly unknown[], mergeKey: string): void {
  if (wanted.length === 0 || order.length === 0) return
  const items = wanted.filter((item) => !isFields(item) || item[directive] !== 'delete')
  let next = 0
  for (let place = 0; place < order.length && next < items.length; ) {
    if (hasDirective(items[next])) {
      next++
      continue
    }
    if (identityOf(items[next], mergeKey) === identityOf(order[place], mergeKey)) next++
    place++
  }
  if (next < items.length) {
    throw unnamedFailure(
      `The order in patch list:\n${shownByGo(wanted)}\n doesn't match ${setElementOrderPrefix} list:\n${shownByGo(order)}\n`,
    )
  }
}
