import { atOnce, isDue, type Steps } from '#apiserver/steps.ts'

/**
 * A set of paths into an object, as a tree. A node is one path: whether it is in the set itself, and
 * what is below it, by path element (`f:spec`, `k:{"name":"x"}`). Immutable, and an operation that
 * changes nothing returns what it was given, so that `===` tells whether anything changed.
 */
export interface FieldSet {
  readonly owned: boolean
  /** Never empty: a node with nothing below has none. */
  readonly children: ReadonlyMap<string, FieldSet> | undefined
}

type Children = ReadonlyMap<string, FieldSet>

/** A path that is in the set, with nothing below. */
export const leaf: FieldSet = { owned: true, children: undefined }
export const emptySet: FieldSet = { owned: false, children: undefined }

export const isEmpty = (set: FieldSet): boolean => !set.owned && set.children === undefined

/** A node; the shared ones where they will do. */
export function nodeOf(owned: boolean, children: Children | undefined): FieldSet {
  if (children !== undefined && children.size > 0) return { owned, children }
  return owned ? leaf : emptySet
}

/** The set of some paths, each given as its elements. */
export const setOf = (...paths: readonly (readonly string[])[]): FieldSet =>
  paths.reduce<FieldSet>((set, path) => atOnce(union(set, pathSet(path, 0))), emptySet)

const pathSet = (path: readonly string[], from: number): FieldSet => {
  const element = path[from]
  return element === undefined
    ? leaf
    : { owned: false, children: new Map([[element, pathSet(path, from + 1)]]) }
}

export function hasPath(set: FieldSet, path: readonly string[]): boolean {
  let node: FieldSet | undefined = set
  for (const element of path) node = node?.children?.get(element)
  return node?.owned === true
}

export function* union(a: FieldSet, b: FieldSet): Steps<FieldSet> {
  if (a === b || isEmpty(b)) return a
  if (isEmpty(a)) return b
  const owned = a.owned || b.owned
  const children = yield* uniteChildren(a.children, b.children)
  return owned === a.owned && children === a.children ? a : { owned, children }
}

function* uniteChildren(
  a: Children | undefined,
  b: Children | undefined,
): Steps<Children | undefined> {
  if (a === undefined || b === undefined || a === b) return a ?? b
  let out: Map<string, FieldSet> | undefined
  for (const [element, child] of b) {
    const known = a.get(element)
    const isNew = known === undefined || known === child
    const united = isNew ? child : yield* union(known, child)
    if (isDue()) yield
    if (united !== known) {
      out ??= new Map(a)
      out.set(element, united)
    }
  }
  return out ?? a
}

export function* intersection(a: FieldSet, b: FieldSet): Steps<FieldSet> {
  if (a === b) return a
  return nodeOf(a.owned && b.owned, yield* sharedChildren(a.children, b.children))
}

function* sharedChildren(
  a: Children | undefined,
  b: Children | undefined,
): Steps<Children | undefined> {
  if (a === undefined || b === undefined) return undefined
  const children = new Map<string, FieldSet>()
  for (const [element, child] of b) {
    const known = a.get(element)
    const shared = known === undefined ? emptySet : yield* intersection(known, child)
    if (isDue()) yield
    if (!isEmpty(shared)) children.set(element, shared)
  }
  return children
}

/** The paths of `a` that are not in `b`; what is below a path of `b` stays. */
export const difference = (a: FieldSet, b: FieldSet): Steps<FieldSet> => subtract(a, b, false)

/** The paths of `a` that are neither in `b` nor below a path of `b`. */
export const deepDifference = (a: FieldSet, b: FieldSet): Steps<FieldSet> => subtract(a, b, true)

function* subtract(a: FieldSet, b: FieldSet, isDeep: boolean): Steps<FieldSet> {
  const owned = a.owned && !b.owned
  const children = yield* subtractChildren(a.children, b.children, isDeep)
  return owned === a.owned && children === a.children ? a : nodeOf(owned, children)
}

function* subtractChild(child: FieldSet, other: FieldSet, isDeep: boolean): Steps<FieldSet> {
  if (isDeep && other.owned) return emptySet
  if (child.children && other.children) return yield* subtract(child, other, isDeep)
  return child.owned && other.owned ? nodeOf(false, child.children) : child
}

function* subtractChildren(
  a: Children | undefined,
  b: Children | undefined,
  isDeep: boolean,
): Steps<Children | undefined> {
  if (a === undefined || b === undefined) return a
  let out: Map<string, FieldSet> | undefined
  for (const [element, other] of b) {
    const child = a.get(element)
    if (isDue()) yield
    if (child === undefined) continue
    const rest = yield* subtractChild(child, other, isDeep)
    if (rest === child) continue
    out ??= new Map(a)
    setOrDelete(out, element, rest)
  }
  return out ?? a
}

function setOrDelete(children: Map<string, FieldSet>, element: string, set: FieldSet): void {
  if (isEmpty(set)) children.delete(element)
  else children.set(element, set)
}

/** Whether every path of `a` is in `b`. */
export function* isSubset(a: FieldSet, b: FieldSet | undefined): Steps<boolean> {
  if (a === b) return true
  if (b === undefined || (a.owned && !b.owned)) return false
  for (const [element, child] of a.children ?? []) {
    if (isDue()) yield
    const other = b.children?.get(element)
    if (child !== other && !(yield* isSubset(child, other))) return false
  }
  return true
}

/** Whether two sets have the same paths. */
export function* isSameSet(a: FieldSet, b: FieldSet | undefined): Steps<boolean> {
  if (a === b) return true
  if (b === undefined || a.owned !== b.owned || a.children?.size !== b.children?.size) return false
  for (const [element, child] of a.children ?? []) {
    if (isDue()) yield
    const other = b.children?.get(element)
    if (child !== other && !(yield* isSameSet(child, other))) return false
  }
  return true
}
