import { type Fields, isFields } from '#apiserver/objects.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
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

/** So many keys that to list them takes a while. */
export const MANY = 10_000

const same: Difference = { changed: emptySet, removed: emptySet }
const otherLeaf: Difference = { changed: leaf, removed: emptySet }

interface Pair {
  readonly before: unknown
  readonly after: unknown
}

/** Compares two values of a shape. Both are there; what they share by identity is not looked at. */
export function* compare(before: unknown, after: unknown, shape: Shape): Steps<Difference> {
  if (before === after) return same
  const kindBefore = kindOf(before, shape)
  const kindAfter = kindOf(after, shape)
  const pair = { before, after }
  const difference = yield* compareAs(kindAfter, pair, shape)
  return kindBefore === kindAfter
    ? difference
    : yield* unite(yield* compareAs(kindBefore, pair, shape), difference)
}

function* unite(a: Difference, b: Difference): Steps<Difference> {
  const changed = yield* union(a.changed, b.changed)
  return { changed, removed: yield* union(a.removed, b.removed) }
}

function* compareAs(kind: ReturnType<typeof kindOf>, pair: Pair, shape: Shape): Steps<Difference> {
  if (kind === 'map' && shape.map !== undefined) return yield* compareMaps(pair, shape.map)
  if (kind === 'list' && shape.list !== undefined) return yield* compareLists(pair, shape.list)
  return kind === undefined ? same : yield* compareLeaves(pair)
}

function* compareLeaves({ before, after }: Pair): Steps<Difference> {
  return (yield* isDeepEqual(before, after)) ? same : otherLeaf
}

function* compareMaps(pair: Pair, shape: MapShape): Steps<Difference> {
  const before = isFields(pair.before) ? pair.before : {}
  const after = isFields(pair.after) ? pair.after : {}
  const keys = Object.keys(after)
  if (keys.length > MANY) yield
  if (shape.isAtomic || (keys.length === 0 && isEmptyMap(before))) return yield* compareLeaves(pair)
  return yield* compareFields(before, { after, keys }, shape)
}

interface Next {
  readonly after: Fields
  readonly keys: readonly string[]
}

function* compareFields(before: Fields, { after, keys }: Next, shape: MapShape): Steps<Difference> {
  const found = new Found()
  for (const key of keys) {
    const value = after[key]
    if (isDue()) yield
    if (Object.hasOwn(before, key) && before[key] === value) continue
    const below = shape.at(key)
    if (below === undefined) continue
    const isLeaf = isScalar(value, below) && typeof before[key] !== 'object'
    const entry = { value, below }
    found.add(fieldElement(key), isLeaf ? otherLeaf : yield* compareEntry(before, key, entry))
  }
  if (keys.length > MANY) yield
  yield* findGone(before, { after, shape, found })
  return found.result()
}

/** By far the most values are scalars, for which nothing has to be walked. */
export const isScalar = (value: unknown, { scalar }: Shape): boolean =>
  typeof value !== 'object' && scalar !== undefined

interface Search {
  readonly after: Fields
  readonly shape: MapShape
  readonly found: Found
}

function* findGone(before: Fields, { after, shape, found }: Search): Steps<void> {
  for (const key of Object.keys(before)) {
    const below = Object.hasOwn(after, key) ? undefined : shape.at(key)
    if (isDue()) yield
    if (below !== undefined) found.add(fieldElement(key), yield* goneOf(before[key], below))
  }
}

const compareEntry = (
  before: Fields,
  key: string,
  { value, below }: { value: unknown; below: Shape },
): Steps<Difference> =>
  Object.hasOwn(before, key) ? compare(before[key], value, below) : allOf(value, below)

const isEmptyMap = (fields: Fields): boolean => {
  for (const _ in fields) return false
  return true
}

function* allOf(value: unknown, shape: Shape): Steps<Difference> {
  return { changed: asOwned(yield* allPathsOf(value, shape)), removed: emptySet }
}

function* goneOf(value: unknown, shape: Shape): Steps<Difference> {
  return { changed: emptySet, removed: asOwned(yield* allPathsOf(value, shape)) }
}

const asOwned = (set: FieldSet): FieldSet => (set.owned ? set : nodeOf(true, set.children))

function* compareLists(pair: Pair, shape: ListShape): Steps<Difference> {
  const before = Array.isArray(pair.before) ? pair.before : []
  const after = Array.isArray(pair.after) ? pair.after : []
  if (shape.isAtomic || (before.length === 0 && after.length === 0)) {
    return yield* compareLeaves(pair)
  }
  return yield* compareKeyed(before, after, shape)
}

function* compareKeyed(
  before: readonly unknown[],
  after: readonly unknown[],
  shape: ListShape,
): Steps<Difference> {
  const found = new Found()
  const old = yield* itemsByElement(before, shape)
  const next = yield* itemsByElement(after, shape)
  const below = shape.items()
  for (const [element, items] of next) {
    const pair = { before: old.get(element) ?? [], after: items }
    found.add(element, yield* compareItems(pair, below))
    if (isDue()) yield
  }
  for (const [element, items] of old) {
    if (isDue()) yield
    if (next.has(element)) continue
    found.add(element, yield* compareItems({ before: items, after: [] }, below))
  }
  return found.result()
}

interface Items {
  readonly before: readonly unknown[]
  readonly after: readonly unknown[]
}

/** Items with the same key: those that are not unique are one value, with nothing below it. */
function* compareItems({ before, after }: Items, shape: Shape): Steps<Difference> {
  if (before.length > 1 && after.length > 1) {
    return yield* compareLeaves({ before, after })
  }
  if (before.length > 1) {
    const gone = { changed: emptySet, removed: leaf }
    return after.length === 0 ? gone : yield* unite(gone, yield* allOf(after[0], shape))
  }
  if (after.length > 1) {
    return before.length === 0
      ? otherLeaf
      : yield* unite(otherLeaf, yield* goneOf(before[0], shape))
  }
  if (before.length === 0) return yield* allOf(after[0], shape)
  return yield* after.length === 0 ? goneOf(before[0], shape) : compare(before[0], after[0], shape)
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
export function* isDeepEqual(a: unknown, b: unknown): Steps<boolean> {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object') return false
  if (Array.isArray(a)) return Array.isArray(b) && (yield* areEqualLists(a, b))
  return isFields(a) && isFields(b) && (yield* areEqualFields(a, b))
}

function* areEqualLists(a: readonly unknown[], b: readonly unknown[]): Steps<boolean> {
  if (a.length !== b.length) return false
  for (const [index, item] of a.entries()) {
    if (isDue()) yield
    if (item !== b[index] && !(yield* isDeepEqual(item, b[index]))) return false
  }
  return true
}

function* areEqualFields(a: Fields, b: Fields): Steps<boolean> {
  const keys = Object.keys(a)
  // Of very many keys even the list takes a while.
  if (isDue() || keys.length > MANY) yield
  if (keys.length !== Object.keys(b).length) return false
  for (const key of keys) {
    if (isDue()) yield
    if (!Object.hasOwn(b, key)) return false
    if (a[key] !== b[key] && !(yield* isDeepEqual(a[key], b[key]))) return false
  }
  return true
}
