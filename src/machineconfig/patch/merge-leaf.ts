import type { Value } from '#machineconfig/document.ts'
import type { Leaf } from '#machineconfig/shapes/shape.ts'
import { isEmptyBytes, isZero } from '#machineconfig/write/zero-value.ts'
import { MergeProblem } from './merge-problem.ts'
import { mergeUrls } from './merge-url.ts'
import { isSet, type Sides } from './sides.ts'

/** One scalar with that of a patch. `pointer`: both are set, and may be set to zero. */
export function mergeLeaf(leaf: Leaf, sides: Sides, { pointer = false } = {}): Value | undefined {
  const { left, right } = sides
  if (isSet(right) && isEmptyBytes(leaf, right)) return right
  switch (leaf.type.reads) {
    case 'bool':
    case 'byte-size':
    case 'expression':
      return right
    case 'prefix':
    case 'address':
    case 'address-port':
    case 'disk-condition':
      throw unmergeable()
    case 'url':
    case 'optional-url':
      return typeof left === 'string' && typeof right === 'string'
        ? mergeUrls(left, right)
        : (right ?? left)
    case 'size':
      return mergeSizes(sides)
    default:
      return pointer || (isSet(right) && !isZero(leaf, right)) ? right : left
  }
}

// Talos tries to set what Go keeps private within these types.
const unmergeable = (): MergeProblem =>
  new MergeProblem('merge not possible, left value is not settable')

// Talos keeps a percentage and a number of bytes side by side, and the bytes win.
const mergeSizes = ({ left, right }: Sides): Value | undefined =>
  right === undefined || (isPercentage(right) && left !== undefined && !isPercentage(left))
    ? left
    : right

const isPercentage = (size: Value): boolean => `${size}`.includes('%')
