import type { Value } from '#machineconfig/document.ts'
import type { Shape } from '#machineconfig/shapes/shape.ts'
import { zeroOfLeaf } from '#machineconfig/write/zero-value.ts'

/**
 * What a field of a list's item says to the value of a `$patch: delete`. Undefined if Go has no text
 * for its type, as for numbers and all that is behind a pointer: then it is never the one.
 */
export function leafText(shape: Shape, value: Value | undefined): string | undefined {
  if (shape.is !== 'leaf' || WITHOUT_TEXT.has(shape.type.reads)) return
  const known = value ?? zeroOfLeaf(shape)
  if (shape.type.reads === 'file-mode') return `0o${Number(known).toString(8)}`
  return `${known}`
}

const WITHOUT_TEXT: ReadonlySet<string> = new Set([
  'bool',
  'integer',
  'base64',
  'base64-key',
  'disk-size',
  'byte-size',
  'size',
])
