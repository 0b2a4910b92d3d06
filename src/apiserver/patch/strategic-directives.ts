import { type Fields, isFields, put } from '#apiserver/objects.ts'

/** What a map in a patch is to do: `delete`, `replace`. */
export const directive = '$patch'
export const deleteFromListPrefix = '$deleteFromPrimitiveList'
export const setElementOrderPrefix = '$setElementOrder'

export const hasDirective = (item: unknown): boolean =>
  isFields(item) && Object.hasOwn(item, directive)

/** A value without the maps in it that are directives; undefined for one that is one itself. */
export function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutDirectives).filter((item) => item !== undefined)
  }
  if (!isFields(value)) return value
  return hasDirective(value) ? undefined : mapped(value, withoutDirectives)
}

/** A value without the nulls in its maps. */
export function discardNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(discardNulls)
  if (!isFields(value)) return value
  return mapped(value, (each) => (each === null ? undefined : discardNulls(each)))
}

function mapped(fields: Fields, change: (value: unknown) => unknown): Fields {
  const out: Fields = {}
  for (const key of Object.keys(fields)) {
    const value = change(fields[key])
    if (value !== undefined) put(out, key, value)
  }
  return out
}
