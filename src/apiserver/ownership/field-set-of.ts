import { type Fields, isFields } from '#apiserver/objects.ts'
import { emptySet, type FieldSet, leaf, nodeOf } from './field-set.ts'
import { itemsByElement } from './list-items.ts'
import { fieldElement } from './path-element.ts'
import { kindOf, type ListShape, type MapShape, type Shape } from './shape.ts'

/** What one who applies a value comes to own: its leaves, items and entries. */
export const fieldSetOf = (value: unknown, shape: Shape): FieldSet => walk(value, shape, false)

/** Every path of a value, that of the value itself and of the maps and lists in it included. */
export const allPathsOf = (value: unknown, shape: Shape): FieldSet => walk(value, shape, true)

function walk(value: unknown, shape: Shape, isWhole: boolean): FieldSet {
  switch (kindOf(value, shape)) {
    case 'scalar':
      return leaf
    case 'map':
      return shape.map === undefined ? emptySet : walkMap(value, shape.map, isWhole)
    case 'list':
      return shape.list === undefined ? emptySet : walkList(value, shape.list, isWhole)
    default:
      return emptySet
  }
}

function walkMap(value: unknown, map: MapShape, isWhole: boolean): FieldSet {
  if (map.isAtomic) return leaf
  return nodeOf(isWhole, isFields(value) ? entriesOf(value, map, isWhole) : undefined)
}

function entriesOf(value: Fields, map: MapShape, isWhole: boolean): Map<string, FieldSet> {
  const children = new Map<string, FieldSet>()
  for (const key of Object.keys(value)) {
    const below = value[key]
    const shape = map.at(key)
    const set = shape === undefined ? emptySet : walk(below, shape, isWhole)
    const owned = set.owned || isWhole || isNothing(below) || !map.isNamed(key)
    if (owned || set.children !== undefined) {
      children.set(fieldElement(key), owned === set.owned ? set : nodeOf(owned, set.children))
    }
  }
  return children
}

const isNothing = (value: unknown): boolean =>
  value === null || (isFields(value) && Object.keys(value).length === 0)

function walkList(value: unknown, list: ListShape, isWhole: boolean): FieldSet {
  if (list.isAtomic) return leaf
  const children = new Map<string, FieldSet>()
  if (Array.isArray(value)) {
    const shape = list.items()
    for (const [element, same] of itemsByElement(value, list)) {
      // Items that are not unique are owned together, with what is in them.
      const set = same.length > 1 ? leaf : walk(same[0], shape, isWhole)
      children.set(element, nodeOf(true, set.children))
    }
  }
  return nodeOf(isWhole, children)
}
