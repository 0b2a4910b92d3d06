import type { Field, Shape, Struct } from '#machineconfig/shapes/shape.ts'

/**
 * The fields of an object that a patch acts on even if it does not name them, for Go knows no absence
 * in them: a plain `false`, a size and an expression overwrite, and an address cannot be merged at all.
 */
export function eagerFields(shape: Struct): readonly Field[] {
  const known = KNOWN.get(shape)
  if (known) return known
  const eager = [...shape.fields.values()].filter((field) => isEager(field.shape))
  KNOWN.set(shape, eager)
  return eager
}

const KNOWN = new WeakMap<Struct, readonly Field[]>()

const EAGER = new Set(['bool', 'byte-size', 'expression', 'prefix', 'address', 'address-port'])

// Structs that hold themselves do so by pointers, lists or maps, where this ends.
const isEager = (shape: Shape): boolean =>
  shape.is === 'leaf'
    ? EAGER.has(shape.type.reads)
    : shape.is === 'struct' && eagerFields(shape).length > 0
