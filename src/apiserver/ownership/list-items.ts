import { isFields } from '#apiserver/objects.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { keyElement, PathElementError, valueElement } from './path-element.ts'
import type { ListShape } from './shape.ts'

/** The path element of an item of a list that is not atomic. Throws a `PathElementError`. */
export function itemElement(item: unknown, list: ListShape): string {
  return list.keys.length > 0 ? keyedElement(item, list) : setElement(item)
}

function keyedElement(item: unknown, list: ListShape): string {
  if (item === null) {
    throw new PathElementError('associative list with keys may not have a null element')
  }
  if (!isFields(item)) {
    throw new PathElementError('associative list with keys may not have non-map elements')
  }
  const pairs: [string, unknown][] = []
  for (const key of list.keys) {
    const value = Object.hasOwn(item, key) ? item[key] : list.keyDefaults[key]
    if (value !== undefined) pairs.push([key, value])
  }
  if (pairs.length === 0) {
    const names = list.declaredKeys.map((key) => JSON.stringify(key)).join(' ')
    throw new PathElementError(
      `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
    )
  }
  return keyElement(pairs)
}

function setElement(item: unknown): string {
  if (item === null) {
    throw new PathElementError(
      "associative list without keys has an element that's an explicit null",
    )
  }
  if (Array.isArray(item)) {
    throw new PathElementError('not supported: associative list with lists as elements')
  }
  if (isFields(item)) {
    throw new PathElementError("associative list without keys has an element that's a map type")
  }
  return valueElement(item)
}

/** The items of a list by their elements, in order; more than one where they are not unique. */
export function* itemsByElement(
  items: readonly unknown[],
  list: ListShape,
): Steps<Map<string, unknown[]>> {
  const out = new Map<string, unknown[]>()
  for (const item of items) {
    const element = itemElement(item, list)
    const same = out.get(element)
    if (same === undefined) out.set(element, [item])
    else same.push(item)
    if (isDue()) yield
  }
  return out
}
