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
  paths.reduce<FieldSet>((set, path) => union(set, pathSet(path, 0)), emptySet)

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

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmpty(b)) return a
  if (isEmpty(a)) return b
  const owned = a.owned || b.owned
  const children = uniteChildren(a.children, b.children)
  return owned === a.owned && children === a.children ? a : { owned, children }
}

function uniteChildren(a: Children | undefined, b: Children | undefined): Children | undefined {
  if (a === undefined || b === undefined || a === b) return a ?? b
  let out: Map<string, FieldSet> | undefined
  for (const [element, child] of b) {
    const known = a.get(element)
    const united = known === undefined ? child : union(known, child)
    if (united !== known) {
      out ??= new Map(a)
      out.set(element, united)
    }
  }
  return out ?? a
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a
  const children = new Map<string, FieldSet>()
  if (a.children !== undefined && b.children !== undefined) {
    for (const [element, child] of b.children) {
      const known = a.children.get(element)
      const shared = known === undefined ? emptySet : intersection(known, child)
      if (!isEmpty(shared)) children.set(element, shared)
    }
  }
  return nodeOf(a.owned && b.owned, children)
}

/** The paths of `a` that are not in `b`; what is below a path of `b` stays. */
export const difference = (a: FieldSet, b: FieldSet): FieldSet =>
  subtract(a, b, (child, other) => difference(child, other))

/** The paths of `a` that are neither in `b` nor below a path of `b`. */
export const deepDifference = (a: FieldSet, b: FieldSet): FieldSet =>
  subtract(a, b, (child, other) => (other.owned ? emptySet : deepDifference(child, other)))

type Subtract = (child: FieldSet, other: FieldSet) => FieldSet

function subtract(a: FieldSet, b: FieldSet, below: Subtract): FieldSet {
  const owned = a.owned && !b.owned
  const children = subtractChildren(a.children, b.children, below)
  return owned === a.owned && children === a.children ? a : nodeOf(owned, children)
}

function subtractChildren(
  a: Children | undefined,
  b: Children | undefined,
  below: Subtract,
): Children | undefined {
  if (a === undefined || b === undefined) return a
  let out: Map<string, FieldSet> | undefined
  for (const [element, other] of b) {
    const child = a.get(element)
    const rest = child === undefined ? undefined : below(child, other)
    if (rest === undefined || rest === child) continue
    out ??= new Map(a)
    if (isEmpty(rest)) out.delete(element)
    else out.set(element, rest)
  }
  return out ?? a
}

/** Whether every path of `a` is in `b`. */
export function isSubset(a: FieldSet, b: FieldSet | undefined): boolean {
  if (a === b) return true
  if (b === undefined || (a.owned && !b.owned)) return false
  for (const [element, child] of a.children ?? []) {
    if (!isSubset(child, b.children?.get(element))) return false
  }
  return true
}

/** Whether two sets have the same paths. */
export function isSameSet(a: FieldSet, b: FieldSet | undefined): boolean {
  if (a === b) return true
  if (b === undefined || a.owned !== b.owned || a.children?.size !== b.children?.size) return false
  for (const [element, child] of a.children ?? []) {
    if (!isSameSet(child, b.children?.get(element))) return false
  }
  return true
}
