import { ApiFailure } from '#apiserver/failure.ts'
import { isFields } from '#apiserver/objects.ts'

/** What Go calls a JSON value when it is not the kind that it wants. */
export function goKindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (isFields(value)) return 'object'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

/** As Go's `%v` shows a JSON value: `map[a:1 b:[x y]]`. */
export function shownByGo(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shownByGo).join(' ')}]`
  if (isFields(value)) {
    const pairs = Object.keys(value)
      .toSorted()
      .map((key) => `${key}:${shownByGo(value[key])}`)
    return `map[${pairs.join(' ')}]`
  }
  return value === null ? '<nil>' : String(value)
}

/** An error that Kubernetes has no name for. */
export const unnamedFailure = (message: string): ApiFailure =>
  new ApiFailure(500, message, { reason: '' })
