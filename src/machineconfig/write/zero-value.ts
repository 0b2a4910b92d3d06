import type { Value, ValueMap } from '#machineconfig/document.ts'
import type { Leaf, Shape, Struct } from '#machineconfig/shapes/shape.ts'

/** What Go holds for a leaf that was never set, as it is written. */
export function zeroOfLeaf({ type }: Leaf): string | number | boolean {
  switch (type.reads) {
    case 'bool':
      return false
    case 'integer':
    case 'file-mode':
    case 'port-range':
      return 0
    case 'duration':
      return '0s'
    case 'disk-size':
      return '0 B'
    case 'fail-over-mac':
      return 'none'
    case 'enum':
      return type.zero
    default:
      return ''
  }
}

/** What Talos writes for something that was never set and is not left out. */
export function zeroOf(shape: Shape): Value {
  switch (shape.is) {
    case 'leaf':
      return zeroOfLeaf(shape)
    case 'list':
      return []
    case 'pointer':
      return null
    case 'free':
      return shape.name === 'any' ? null : {}
    default:
      return {}
  }
}

/** Whether Talos leaves a value out where it leaves out what is empty. Absent is empty too. */
export function isZero(shape: Shape, value: Value | undefined): boolean {
  if (value === undefined || value === null) return true
  switch (shape.is) {
    case 'pointer':
      return false
    case 'leaf':
      return value === zeroOfLeaf(shape)
    case 'struct':
      return isMap(value) && isZeroStruct(shape, value)
    case 'free':
      return shape.name !== 'any' && isEmpty(value)
    default:
      return isEmpty(value)
  }
}

const BYTES = new Set(['nethelpers.HardwareAddr', 'v1alpha1.Base64Bytes'])

/**
 * Whether it is bytes, and there are none. A patch may say so to remove those that are there: Go tells no
 * bytes from nothing said. In a configuration it is the same as nothing.
 */
export const isEmptyBytes = (shape: Shape, value: Value): boolean =>
  shape.is === 'leaf' && BYTES.has(shape.name) && value === ''

/** Whether a value is a map. */
export const isMap = (value: Value | undefined): value is ValueMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEmpty = (value: Value): boolean =>
  Array.isArray(value) ? value.length === 0 : isMap(value) && Object.keys(value).length === 0

function isZeroStruct({ name, fields }: Struct, value: ValueMap): boolean {
  // This one type has a word in the matter: without a provider and keys, nothing else counts.
  const asked = name === 'block.EncryptionSpec' ? ['provider', 'keys'] : Object.keys(value)
  return asked.every((key) => {
    const field = fields.get(key)
    return !field || isZero(field.shape, value[key])
  })
}
