import type { ConfigDocument, Value, ValueMap } from '#machineconfig/document.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import type { Shape, Struct } from '#machineconfig/shapes/shape.ts'
import { isMap, isZero, zeroOf } from './zero-value.ts'

/** The documents as plain JSON, with the zero values that are written and without those that are not. */
export const toPlain = ({ documents }: MachineConfig): unknown[] => documents.map(plainDocument)

/** One document of them. */
const plainDocument = ({ kind, fields }: ConfigDocument): ValueMap =>
  plainStruct(kind.shape, fields)

function plainStruct({ fields }: Struct, value: ValueMap): ValueMap {
  const plain: Record<string, Value> = Object.create(null)
  for (const { name, shape, omit } of fields.values()) {
    const own = Object.hasOwn(value, name) ? value[name] : undefined
    if (omit === 'never' || !isZero(shape, own)) plain[name] = plainValue(shape, own)
  }
  return plain
}

function plainValue(shape: Shape, value: Value | undefined): Value {
  if (shape.is === 'pointer' && (value ?? null) !== null) return plainValue(shape.to, value)
  return plainSet(shape, value ?? zeroOf(shape))
}

function plainSet(shape: Shape, value: Value): Value {
  if (Array.isArray(value) && shape.is === 'list') {
    return value.map((item: Value) => plainValue(shape.of, item))
  }
  if (isMap(value) && shape.is === 'struct') return plainStruct(shape, value)
  if (isMap(value) && shape.is === 'map') return plainMap(shape.of, value)
  return value === '' && isArgument(shape) ? null : value
}

// An argument without a value is written as null.
const isArgument = (shape: Shape): boolean => shape.is === 'leaf' && shape.type.reads === 'argument'

function plainMap(of: Shape, map: ValueMap): ValueMap {
  const plain: Record<string, Value> = Object.create(null)
  for (const key of Object.keys(map)) plain[key] = plainValue(of, map[key])
  return plain
}
