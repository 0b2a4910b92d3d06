import type { Value, ValueMap } from '#machineconfig/document.ts'
import type {
  Dictionary,
  Field,
  List,
  Pointer,
  Shape,
  Struct,
} from '#machineconfig/shapes/shape.ts'
import { isMap } from '#machineconfig/write/zero-value.ts'
import { eagerFields } from './eager-fields.ts'
import { mergeFree } from './merge-free.ts'
import { mergeLeaf } from './merge-leaf.ts'
import { type MergeItem, mergeNamedList } from './merge-lists.ts'
import { under } from './merge-problem.ts'
import { isList, isSet, type Sides } from './sides.ts'

/** The fields of a document or an object with those of a patch. Shares what stays as it is. */
export function mergeFields(shape: Struct, left: ValueMap, right: ValueMap): ValueMap {
  const merged: Record<string, Value> = Object.assign(Object.create(null), left)
  let changed = false
  const merge = (field: Field): void => {
    const sides = { left: ownValue(left, field.name), right: ownValue(right, field.name) }
    const value = under(field.name, () => mergeField(field, sides))
    if (value === sides.left) return
    changed = true
    if (value === undefined || isUnsetStruct(field.shape, value)) delete merged[field.name]
    else merged[field.name] = value
  }
  for (const field of shape.fields.values()) if (Object.hasOwn(right, field.name)) merge(field)
  for (const field of eagerFields(shape)) if (!Object.hasOwn(right, field.name)) merge(field)
  return changed ? merged : left
}

// Go makes a map without a type only for something to put into it: an empty one replaces nothing.
const mergeField = ({ shape, replaced }: Field, sides: Sides): Value | undefined =>
  replaced && !(shape.is === 'free' && isEmpty(sides.right))
    ? (sides.right ?? sides.left)
    : mergeValue(shape, sides)

const isEmpty = (value: Value | undefined): boolean =>
  isMap(value) && Object.keys(value).length === 0

/** A value with that of a patch, as Talos merges what its Go types hold: by the type. */
function mergeValue(shape: Shape, sides: Sides): Value | undefined {
  switch (shape.is) {
    case 'pointer':
      return mergePointer(shape, sides)
    case 'leaf':
      return mergeLeaf(shape, sides)
    case 'struct':
      return mergeStruct(shape, sides)
    case 'list':
      return mergeList(shape, sides)
    case 'map':
      return mergeMap(shape, sides)
    case 'free':
      return mergeFree(sides)
  }
}

const ownValue = (map: ValueMap, key: string): Value | undefined =>
  Object.hasOwn(map, key) ? map[key] : undefined

// An object that is no pointer and has nothing in it is what Go holds for one never set.
const isUnsetStruct = (shape: Shape, value: Value): boolean =>
  shape.is === 'struct' && isEmpty(value)

function mergePointer({ to }: Pointer, sides: Sides): Value | undefined {
  const { left, right } = sides
  if (!isSet(right)) return left
  if (!isSet(left)) return right
  // Behind a pointer a zero is a value like any other.
  if (to.is === 'leaf') return mergeLeaf(to, sides, { pointer: true })
  return mergeValue(to, sides)
}

function mergeStruct(shape: Struct, sides: Sides): Value | undefined {
  const left = isMap(sides.left) ? sides.left : {}
  const right = isMap(sides.right) ? sides.right : {}
  // Reading sets both the certificate and the key, to nothing if need be: both are replaced.
  if (shape.name.startsWith('x509.')) return sides.right ?? sides.left
  const merged = mergeFields(shape, left, right)
  return merged === left ? sides.left : merged
}

function mergeList(shape: List, { left, right }: Sides): Value | undefined {
  if (!isList(right)) return left
  const before = isList(left) ? left : []
  const named = shape.name && mergeNamedList(shape.name, { left: before, right }, mergeItem(shape))
  if (named) return named.length === 0 ? left : named
  if (!isList(left)) return right
  return right.length === 0 ? left : [...left, ...right]
}

const mergeItem =
  ({ of }: List): MergeItem =>
  (index, sides) =>
    under(`[${index}]`, () => mergeValue(of, sides)) ?? {}

function mergeMap(shape: Dictionary, { left, right }: Sides): Value | undefined {
  if (!isMap(right)) return left
  const args = shape.name === 'v1alpha1.Args'
  if (Object.keys(right).length === 0) return isMap(left) || args ? left : right
  if (!isMap(left)) return right
  const merged: Record<string, Value> = Object.assign(Object.create(null), left)
  for (const [key, value] of Object.entries(right)) {
    const sides = { left: ownValue(left, key), right: value }
    merged[key] = args ? value : mergeEntry(shape.of, key, sides)
  }
  return merged
}

function mergeEntry(of: Shape, key: string, sides: Sides): Value {
  const merged = isSet(sides.left) ? under(`[${key}]`, () => mergeValue(of, sides)) : sides.right
  return merged ?? null
}
