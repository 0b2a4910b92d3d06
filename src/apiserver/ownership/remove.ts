import { type Fields, isFields, put } from '#apiserver/objects.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import type { FieldSet } from './field-set.ts'
import { itemElement } from './list-items.ts'
import { fieldElement } from './path-element.ts'
import { kindOf, type ListShape, type MapShape, type Shape } from './shape.ts'

/**
 * A value without the paths of a set. As in Kubernetes a map or list of which nothing is left, and an
 * atomic one of which a part is to go, becomes null. Shares with the value what stays.
 */
export function* removePaths(value: unknown, set: FieldSet, shape: Shape): Steps<unknown> {
  const kind = kindOf(value, shape)
  if (kind === 'map' && shape.map !== undefined) return yield* removeFromMap(value, set, shape.map)
  if (kind === 'list' && shape.list !== undefined)
    return yield* removeFromList(value, set, shape.list)
  return value
}

function* removeFromMap(value: unknown, set: FieldSet, shape: MapShape): Steps<unknown> {
  if (!isFields(value) || shape.isAtomic) return null
  const out: Fields = {}
  let isLeft = false
  for (const key of Object.keys(value)) {
    const node = set.children?.get(fieldElement(key))
    if (isDue()) yield
    if (node?.owned) continue
    const below = shape.at(key)
    isLeft = true
    const isWhole = node === undefined || below === undefined
    put(out, key, isWhole ? value[key] : yield* removePaths(value[key], node, below))
  }
  return isLeft ? out : null
}

function* removeFromList(value: unknown, set: FieldSet, shape: ListShape): Steps<unknown> {
  if (!Array.isArray(value) || shape.isAtomic) return null
  const out: unknown[] = []
  for (const item of value) {
    const node = set.children?.get(itemElement(item, shape))
    if (isDue()) yield
    if (node?.owned) continue
    out.push(node === undefined ? item : yield* removePaths(item, node, shape.items()))
  }
  return out.length > 0 ? out : null
}
