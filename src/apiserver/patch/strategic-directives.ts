import { type Fields, isFields, put } from '#apiserver/objects.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'

/** What a map in a patch is to do: `delete`, `replace`. */
export const directive = '$patch'
export const deleteFromListPrefix = '$deleteFromPrimitiveList'
export const setElementOrderPrefix = '$setElementOrder'

export const hasDirective = (item: unknown): boolean =>
  isFields(item) && Object.hasOwn(item, directive)

/** A value without the maps in it that are directives; undefined for one that is one itself. */
export function* withoutDirectives(value: unknown): Steps<unknown> {
  if (Array.isArray(value)) {
    return (yield* mappedItems(value, withoutDirectives)).filter((item) => item !== undefined)
  }
  if (!isFields(value)) return value
  return hasDirective(value) ? undefined : yield* mapped(value, withoutDirectives)
}

/** A value without the nulls in its maps. */
export function* discardNulls(value: unknown): Steps<unknown> {
  if (Array.isArray(value)) return yield* mappedItems(value, discardNulls)
  if (!isFields(value)) return value
  return yield* mapped(value, function* (each) {
    return each === null ? undefined : yield* discardNulls(each)
  })
}

type Change = (value: unknown) => Steps<unknown>

function* mapped(fields: Fields, change: Change): Steps<Fields> {
  const out: Fields = {}
  for (const key of Object.keys(fields)) {
    const before = fields[key]
    const value = typeof before === 'object' ? yield* change(before) : before
    if (isDue()) yield
    if (value !== undefined) put(out, key, value)
  }
  return out
}

function* mappedItems(list: readonly unknown[], change: Change): Steps<unknown[]> {
  const out: unknown[] = []
  for (const item of list) {
    out.push(typeof item === 'object' ? yield* change(item) : item)
    if (isDue()) yield
  }
  return out
}
