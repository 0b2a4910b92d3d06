import type { Value, ValueMap } from '#machineconfig/document.ts'
import type { Shape, Struct } from '#machineconfig/shapes/shape.ts'
import { isEmptyBytes, isMap } from '#machineconfig/write/zero-value.ts'
import { isList } from './sides.ts'

/** Fields in normal form again, after a patch that says that there are no bytes. Shares what stays. */
export function withoutEmptyBytes(shape: Struct, fields: ValueMap): ValueMap {
  const kept: Record<string, Value> = Object.create(null)
  let changed = false
  for (const [name, value] of Object.entries(fields)) {
    const field = shape.fields.get(name)
    const part = field ? cleaned(field.shape, value) : value
    changed ||= part !== value
    if (part !== undefined) kept[name] = part
  }
  return changed ? kept : fields
}

// Most of a configuration, such as long maps of texts, need not be looked at.
const KNOWN = new WeakMap<Struct, boolean>()

function holdsBytes(shape: Shape): boolean {
  if (shape.is === 'leaf') return isEmptyBytes(shape, '')
  if (shape.is === 'pointer') return holdsBytes(shape.to)
  if (shape.is === 'list' || shape.is === 'map') return holdsBytes(shape.of)
  return shape.is === 'struct' && structHoldsBytes(shape)
}

function structHoldsBytes(shape: Struct): boolean {
  const known = KNOWN.get(shape)
  if (known !== undefined) return known
  // One that contains itself ends here.
  KNOWN.set(shape, false)
  const holds = [...shape.fields.values()].some((field) => holdsBytes(field.shape))
  KNOWN.set(shape, holds)
  return holds
}

function cleaned(shape: Shape, value: Value): Value | undefined {
  if (!holdsBytes(shape)) return value
  if (shape.is === 'pointer') return cleaned(shape.to, value)
  if (isEmptyBytes(shape, value)) return undefined
  if (shape.is === 'struct' && isMap(value)) return withoutEmptyBytes(shape, value)
  if (shape.is === 'list' && isList(value)) return cleanedList(shape.of, value)
  if (shape.is === 'map' && isMap(value)) return cleanedMap(shape.of, value)
  return value
}

function cleanedList(of: Shape, items: readonly Value[]): Value {
  const kept = items.map((item) => cleaned(of, item) ?? item)
  return kept.every((item, at) => item === items[at]) ? items : kept
}

function cleanedMap(of: Shape, map: ValueMap): Value {
  const kept: Record<string, Value> = Object.create(null)
  for (const [key, value] of Object.entries(map)) kept[key] = cleaned(of, value) ?? value
  return Object.keys(map).every((key) => kept[key] === map[key]) ? map : kept
}
