import { type Fields, isFields } from '#apiserver/objects.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { emptySet, type FieldSet, leaf, nodeOf } from './field-set.ts'
import { itemsByElement } from './list-items.ts'
import { fieldElement } from './path-element.ts'
import { kindOf, type ListShape, type MapShape, type Shape } from './shape.ts'

/** What one who applies a value comes to own: its leaves, items and entries. */
export const fieldSetOf = (value: unknown, shape: Shape): Steps<FieldSet> =>
  walk(value, shape, false)

/** Every path of a value, that of the value itself and of the maps and lists in it included. */
export const allPathsOf = (value: unknown, shape: Shape): Steps<FieldSet> =>
  walk(value, shape, true)

function* walk(value: unknown, shape: Shape, isWhole: boolean): Steps<FieldSet> {
  switch (kindOf(value, shape)) {
    case 'scalar':
      return leaf
    case 'map':
      return shape.map === undefined ? emptySet : yield* walkMap(value, shape.map, isWhole)
    case 'list':
      return shape.list === undefined ? emptySet : yield* walkList(value, shape.list, isWhole)
    default:
      return emptySet
  }
}

function* walkMap(value: unknown, map: MapShape, isWhole: boolean): Steps<FieldSet> {
  if (map.isAtomic) return leaf
  return nodeOf(isWhole, isFields(value) ? yield* entriesOf(value, map, isWhole) : undefined)
}

function* entriesOf(value: Fields, map: MapShape, isWhole: boolean): Steps<Map<string, FieldSet>> {
  const children = new Map<string, FieldSet>()
  for (const key of Object.keys(value)) {
    const below = value[key]
    const shape = map.at(key)
    const known = leafOf(below, shape)
    const set = known ?? (yield* walk(below, shape ?? NOTHING, isWhole))
    if (isDue()) yield
    const owned = set.owned || isWhole || isNothing(below) || !map.isNamed(key)
    if (owned || set.children !== undefined) {
      children.set(fieldElement(key), owned === set.owned ? set : nodeOf(owned, set.children))
    }
  }
  return children
}

/** Of by far the most values, nothing has to be walked. */
function leafOf(value: unknown, shape: Shape | undefined): FieldSet | undefined {
  if (shape === undefined) return emptySet
  return typeof value !== 'object' && shape.scalar !== undefined ? leaf : undefined
}

const NOTHING: Shape = { scalar: undefined, list: undefined, map: undefined }

const isNothing = (value: unknown): boolean =>
  value === null || (isFields(value) && Object.keys(value).length === 0)

function* walkList(value: unknown, list: ListShape, isWhole: boolean): Steps<FieldSet> {
  if (list.isAtomic) return leaf
  const children = new Map<string, FieldSet>()
  if (Array.isArray(value)) {
    const shape = list.items()
    for (const [element, same] of yield* itemsByElement(value, list)) {
      // Items that are not unique are owned together, with what is in them.
      const set = same.length > 1 ? leaf : yield* walk(same[0], shape, isWhole)
      if (isDue()) yield
      children.set(element, nodeOf(true, set.children))
    }
  }
  return nodeOf(isWhole, children)
}
