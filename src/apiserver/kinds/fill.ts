import { type Fields, isFields } from '#apiserver/objects.ts'

/** Sets what is not there. Values that are objects must be fresh: they become part of the object. */
export function fill(fields: Fields, defaults: Fields): void {
  for (const key in defaults) if (fields[key] == null) fields[key] = defaults[key]
}

/** The same for fields of which Kubernetes cannot tell empty from absent. */
export function fillEmpty(fields: Fields, defaults: Fields): void {
  for (const key in defaults) {
    const value = fields[key]
    if (value == null || value === '' || value === 0) fields[key] = defaults[key]
  }
}

/** The object under a key, put there if there is none. */
export function childOf(fields: Fields, key: string): Fields {
  const value = fields[key]
  if (isFields(value)) return value
  const child: Fields = {}
  fields[key] = child
  return child
}

/** The object under a key, if there is one. */
export function partOf(fields: Fields, key: string): Fields | undefined {
  const value = fields[key]
  return isFields(value) ? value : undefined
}

/** The objects of a list; none where there is no list. */
export function itemsOf(fields: Fields, key: string): Fields[] {
  const value = fields[key]
  return Array.isArray(value) ? value.filter(isFields) : []
}

/** Takes a field over from another object, its absence included. */
export function takeOver(fields: Fields, from: Fields, key: string): void {
  if (from[key] === undefined) delete fields[key]
  else fields[key] = from[key]
}

/**
 * Whether two JSON values say the same; what is absent, null or an empty list says nothing. An empty text does:
 * decoding leaves it only where Kubernetes tells it from none, as in labels.
 */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (isNothing(one)) return isNothing(other)
  if (isNothing(other)) return false
  if (Array.isArray(one)) return Array.isArray(other) && areSameLists(one, other)
  return isFields(one) && isFields(other) && areSameFields(one, other)
}

const areSameLists = (one: unknown[], other: unknown[]): boolean =>
  one.length === other.length && one.every((item, index) => isSame(item, other[index]))

function areSameFields(one: Fields, other: Fields): boolean {
  for (const key in one) if (!isSame(one[key], other[key])) return false
  for (const key in other) if (!Object.hasOwn(one, key) && !isNothing(other[key])) return false
  return true
}

const isNothing = (value: unknown): boolean =>
  value == null || (Array.isArray(value) && value.length === 0)
