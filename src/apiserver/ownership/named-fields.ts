import { isDue, type Steps } from '#apiserver/steps.ts'
import { type FieldSet, nodeOf } from './field-set.ts'
import type { Shape } from './shape.ts'

/** A set with every field in it that the schema names and that has something in it below. */
export function* withNamedFields(set: FieldSet, shape: Shape | undefined): Steps<FieldSet> {
  if (set.children === undefined) return set
  const children = new Map<string, FieldSet>()
  for (const [element, child] of set.children) {
    const name = element.startsWith('f:') ? element.slice(2) : undefined
    const below =
      child.children === undefined
        ? child
        : yield* withNamedFields(child, shapeBelow(element, shape))
    if (isDue()) yield
    const isNamed = name !== undefined && shape?.map?.isNamed(name) === true
    children.set(element, isNamed && !below.owned ? nodeOf(true, below.children) : below)
  }
  return { owned: set.owned, children }
}

function shapeBelow(element: string, shape: Shape | undefined): Shape | undefined {
  if (element.startsWith('f:')) return shape?.map?.at(element.slice(2))
  return element.startsWith('k:') ? shape?.list?.items() : undefined
}

/**
 * A set as it has to be when the schema has since made a list or map atomic: owners of parts of it
 * own it as a whole.
 */
export function* fitToShape(set: FieldSet, shape: Shape | undefined): Steps<FieldSet> {
  if (set.children === undefined || shape === undefined) return set
  if (isWhole(shape)) return nodeOf(true, undefined)
  if (shape.map?.isDeduced) return set
  let out: Map<string, FieldSet> | undefined
  for (const [element, child] of set.children) {
    if (isDue()) yield
    if (child.children === undefined) continue
    const fitting = yield* fitToShape(child, partOf(element, shape))
    if (fitting !== child) {
      out ??= new Map(set.children)
      out.set(element, fitting)
    }
  }
  return out === undefined ? set : { owned: set.owned, children: out }
}

const isWhole = ({ map, list, scalar }: Shape): boolean => {
  if (map !== undefined) return map.isAtomic && !map.isDeduced
  return scalar === undefined && list?.isAtomic === true
}

const partOf = (element: string, { map, list }: Shape): Shape | undefined =>
  map === undefined ? list?.items() : map.at(element.startsWith('f:') ? element.slice(2) : '')
