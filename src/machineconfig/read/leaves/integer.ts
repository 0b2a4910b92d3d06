import { resolveScalar } from '#base/yaml/resolve-scalar.ts'
import type { YamlScalar } from '#base/yaml/yaml-node.ts'
import type { IntegerLeaf } from '#machineconfig/shapes/leaf-type.ts'

/**
 * A whole number in its bounds, also when it is written as `4.0`; undefined if it is none. One that a
 * double cannot hold exactly counts as none.
 */
export function readInteger({ bits, signed }: IntegerLeaf, node: YamlScalar): number | undefined {
  const { value } = resolveScalar(node)
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return
  const highest = 2 ** (signed ? bits - 1 : bits) - 1
  const lowest = signed ? -(2 ** (bits - 1)) : 0
  // Adding nothing makes 0 of the float -0.
  return value >= lowest && value <= highest ? value + 0 : undefined
}

const TRUE = new Set(['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON'])
const FALSE = new Set(['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF'])

/** True or false, in the words of YAML 1.1 too, even in quotes; undefined if it is neither. */
export function readBool(node: YamlScalar): boolean | undefined {
  const { value } = resolveScalar(node)
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') return
  if (TRUE.has(value)) return true
  return FALSE.has(value) ? false : undefined
}
