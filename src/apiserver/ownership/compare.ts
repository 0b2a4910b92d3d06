import { type Fields, isFields } from '#apiserver/objects.ts'
import { emptySet, type FieldSet, leaf, nodeOf, union } from './field-set.ts'
import { allPathsOf } from './field-set-of.ts'
import { itemsByElement } from './list-items.ts'
import { fieldElement } from './path-element.ts'
import { kindOf, type ListShape, type MapShape, type Shape } from './shape.ts'

/** What differs between two values: the paths that are new or other, and those that are gone. */
export interface Difference {
  readonly changed: FieldSet
  readonly removed: FieldSet
}

const same: Difference = { changed: emptySet, removed: emptySet }
const otherLeaf: Difference = { changed: leaf, removed: emptySet }

interface Pair {
  readonly before: unknown
  readonly after: unknown
}

/** Compares two values of a shape. Both are there; what they share by identity is not looked at. */
export function compare(before: unknown, after: unknown, shape: Shape): Difference {
  if (before === after) return same
  const kindBefore = kindOf(before, shape)
  const kindAfter = kindOf(after, shape)
  const pair = { before, after }
  const difference = compareAs(kindAfter, pair, shape)
  return kindBefore === kindAfter
    ? difference
    : unite(compareAs(kindBefore, pair, shape), difference)
}

const unite = (a: Difference, b: Difference): Difference => ({
  changed: union(a.changed, b.changed),
  removed: union(a.removed, b.removed),
})

function compareAs(kind: ReturnType<typeof kindOf>, pair: Pair, shape: Shape): Difference {
  if (kind === 'map' && shape.map !== undefined) return compareMaps(pair, shape.map)
  if (kind === 'list' && shape.list !== undefined) return compareLists(pair, shape.list)
  return kind === undefined ? same : compareLeaves(pair)
}

const compareLeaves = ({ before, after }: Pair): Difference =>
  isDeepEqual(before, after) ? same : otherLeaf

function compareMaps(pair: Pair, shape: MapShape): Difference {
  const before = isFields(pair.before) ? pair.before : {}
  const after = isFields(pair.after) ? pair.after : {}
  if (shape.isAtomic || (isEmptyMap(before) && isEmptyMap(after))) return compareLeaves(pair)
  return compareFields(before, after, shape)
}

function compareFields(before: Fields, after: Fields, shape: MapShape): Difference {
  const found = new Found()
  for (const key of Object.keys(after)) {
    const value = after[key]
    if (Object.hasOwn(before, key) && before[key] === value) continue
    const below = shape.at(key)
    if (below !== undefined) found.add(fieldElement(key), entryOf(before, key, { value, below }))
  }
  for (const key of Object.keys(before)) {
    const below = Object.hasOwn(after, key) ? undefined : shape.at(key)
    if (below !== undefined) found.add(fieldElement(key), goneOf(before[key], below))
  }
  return found.result()
}

const entryOf = (
  before: Fields,
  key: string,
  { value, below }: { value: unknown; below: Shape },
): Difference =>
  Object.hasOwn(before, key) ? compare(before[key], value, below) : allOf(value, below)

const isEmptyMap = (fields: Fields): boolean => {
  for (const _ in fields) return false
  return true
}

const allOf = (value: unknown, shape: Shape): Difference => ({
  changed: asOwned(allPathsOf(value, shape)),
  removed: emptySet,
})

const goneOf = (value: unknown, shape: Shape): Difference => ({
  changed: emptySet,
  removed: asOwned(allPathsOf(value, shape)),
})

const asOwned = (set: FieldSet): FieldSet => (set.owned ? set : nodeOf(true, set.children))

function compareLists(pair: Pair, shape: ListShape): Difference {
  const before = Array.isArray(pair.before) ? pair.before : []
  const after = Array.isArray(pair.after) ? pair.after : []
  if (shape.isAtomic || (before.length === 0 && after.length === 0)) return compareLeaves(pair)
  const found = new Found()
  const old = itemsByElement(before, shape)
  const next = itemsByElement(after, shape)
  const below = shape.items()
  for (const [element, items] of next) {
    found.add(element, compareItems({ before: old.get(element) ?? [], after: items }, below))
  }
  for (const [element, items] of old) {
    if (!next.has(element)) found.add(element, compareItems({ before: items, after: [] }, below))
  }
  return found.result()
}

interface Items {
  readonly before: readonly unknown[]
  readonly after: readonly unknown[]
}

/** Items with the same key: those that are not unique are one value, with nothing below it. */
function compareItems({ before, after }: Items, shape: Shape): Difference {
  if (before.length > 1 && after.length > 1) {
    return isDeepEqual(before, after) ? same : otherLeaf
  }
  if (before.length > 1) {
    const gone = { changed: emptySet, removed: leaf }
    return after.length === 0 ? gone : unite(gone, allOf(after[0], shape))
  }
  if (after.length > 1) {
    return before.length === 0 ? otherLeaf : unite(otherLeaf, goneOf(before[0], shape))
  }
  if (before.length === 0) return allOf(after[0], shape)
  return after.length === 0 ? goneOf(before[0], shape) : compare(before[0], after[0], shape)
}

/** Collects what is found below a node. */
class Found {
  #changed: Map<string, FieldSet> | undefined
  #removed: Map<string, FieldSet> | undefined

  add(element: string, { changed, removed }: Difference): void {
    if (changed !== emptySet) {
      this.#changed ??= new Map()
      this.#changed.set(element, changed)
    }
    if (removed !== emptySet) {
      this.#removed ??= new Map()
      this.#removed.set(element, removed)
    }
  }

  result(): Difference {
    if (this.#changed === undefined && this.#removed === undefined) return same
    return { changed: nodeOf(false, this.#changed), removed: nodeOf(false, this.#removed) }
  }
}

/** Whether two JSON values are the same. */
export function isDeepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => isDeepEqual(item, b[index]))
    )
  }
  return isFields(a) && isFields(b) && areEqualFields(a, b)
}

function areEqualFields(a: Fields, b: Fields): boolean {
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isDeepEqual(a[key], b[key]))
  )
}
