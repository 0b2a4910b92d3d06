import type { Value, ValueMap } from '#machineconfig/document.ts'

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value)

export const isMap = (value: Value): value is ValueMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether two values say the same; the order of keys says nothing. */
export function isSame(one: Value | undefined, other: Value | undefined): boolean {
  if (one === other) return true
  if (one === undefined || other === undefined) return false
  if (isList(one)) {
    return (
      isList(other) &&
      one.length === other.length &&
      one.every((item, at) => isSame(item, other[at]))
    )
  }
  if (!isMap(one) || isList(other) || !isMap(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  )
}
