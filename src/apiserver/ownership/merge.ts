import { type Fields, isFields, put } from '#apiserver/objects.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { isDeepEqual, isScalar, MANY } from './compare.ts'
import { sharedCopyOf } from './copy.ts'
import { itemElement } from './list-items.ts'
import { kindOf, type ListShape, type MapShape, type Shape } from './shape.ts'

/**
 * A value with a configuration laid over it: what the configuration has wins, what it leaves out
 * stays. The result shares what it can with both; it is `live` itself when nothing changes.
 */
export function* merge(live: unknown, config: unknown, shape: Shape): Steps<unknown> {
  if (live === undefined) return config
  const kind = kindOf(config, shape)
  if (kind === 'map' && shape.map !== undefined) return yield* mergeMaps(live, config, shape.map)
  if (kind === 'list' && shape.list !== undefined)
    return yield* mergeLists(live, config, shape.list)
  return live === config ? live : config
}

function* mergeLeaves(live: unknown, config: unknown): Steps<unknown> {
  return (yield* isDeepEqual(live, config)) ? live : config
}

function* mergeMaps(live: unknown, config: unknown, shape: MapShape): Steps<unknown> {
  const fields = isFields(config) ? config : {}
  const keys = Object.keys(fields)
  if (keys.length > MANY) yield
  if (shape.isAtomic || (keys.length === 0 && isEmptyMap(live))) {
    return yield* mergeLeaves(live, config)
  }
  return isFields(live) ? yield* mergeFields(live, { fields, keys }, shape) : config
}

interface Configured {
  readonly fields: Fields
  /** Of very many, even the list takes a while: it is made once. */
  readonly keys: readonly string[]
}

const isEmptyMap = (value: unknown): boolean => !isFields(value) || Object.keys(value).length === 0

function* mergeFields(live: Fields, { fields, keys }: Configured, shape: MapShape): Steps<Fields> {
  let out: Fields | undefined
  for (const key of keys) {
    const below = shape.at(key)
    if (isDue()) yield
    if (below === undefined) continue
    const before = Object.hasOwn(live, key) ? live[key] : undefined
    const wanted = fields[key]
    const after = isScalar(wanted, below) ? wanted : yield* merge(before, wanted, below)
    if (after !== before) {
      out ??= yield* sharedCopyOf(live)
      put(out, key, after)
    }
  }
  return out ?? live
}

function* mergeLists(live: unknown, config: unknown, shape: ListShape): Steps<unknown> {
  const before = Array.isArray(live) ? live : []
  const items = Array.isArray(config) ? config : []
  if (shape.isAtomic || (before.length === 0 && items.length === 0)) {
    return yield* mergeLeaves(live, config)
  }
  if (items.length === 0 || (yield* isDeepEqual(live, config))) return live
  const elements = yield* elementsOf(before, shape)
  const wanted = yield* elementsOf(items, shape)
  const out = yield* new ListMerge(
    { items: before, elements },
    { items, elements: wanted },
    shape,
  ).run()
  const isSame = out.length === before.length && out.every((item, index) => item === before[index])
  return isSame && Array.isArray(live) ? live : out
}

interface Listed {
  readonly items: readonly unknown[]
  /** The path element of each. */
  readonly elements: readonly string[]
}

function* elementsOf(items: readonly unknown[], shape: ListShape): Steps<string[]> {
  const elements: string[] = []
  for (const item of items) {
    elements.push(itemElement(item, shape))
    if (isDue()) yield
  }
  return elements
}

/**
 * Lays one list over another. The items of the configuration are in its order; the others keep their
 * places behind the items that they follow.
 */
class ListMerge {
  readonly #live: readonly unknown[]
  readonly #config: readonly unknown[]
  readonly #shape: ListShape
  readonly #elements: readonly string[]
  readonly #wanted: readonly string[]
  /** Items that are not unique are laid over as if nothing were there. */
  readonly #liveItems = new Map<string, unknown>()
  readonly #wantedItems = new Map<string, unknown>()
  readonly #out: unknown[] = []
  readonly #merged = new Set<string>()
  /** The elements that both have, in the order of the configuration, and the next one of them. */
  readonly #shared: string[] = []
  #nextShared = 0
  #left = 0
  #right = 0

  constructor(live: Listed, config: Listed, shape: ListShape) {
    this.#live = live.items
    this.#config = config.items
    this.#shape = shape
    this.#elements = live.elements
    this.#wanted = config.elements
  }

  *run(): Steps<unknown[]> {
    yield* this.#index()
    while (this.#left < this.#elements.length || this.#right < this.#wanted.length) {
      yield* this.#step()
      if (isDue()) yield
    }
    return this.#out
  }

  *#index(): Steps<void> {
    for (const [index, element] of this.#elements.entries()) {
      if (isDue()) yield
      this.#liveItems.set(element, this.#liveItems.has(element) ? null : this.#live[index])
    }
    for (const [index, element] of this.#wanted.entries()) {
      if (isDue()) yield
      this.#wantedItems.set(element, this.#config[index])
      if (this.#liveItems.has(element)) this.#shared.push(element)
    }
  }

  *#step(): Steps<void> {
    const element = this.#elements[this.#left]
    const wanted = this.#wanted[this.#right]
    if (element !== undefined && element === wanted) {
      this.#left++
      yield* this.#take(wanted)
    } else if (this.#comesLater(element, wanted)) {
      this.#left++
    } else if (element !== undefined && !this.#wantedItems.has(element)) {
      this.#out.push(this.#live[this.#left])
      this.#left++
    } else {
      if (element !== undefined && this.#merged.has(element)) this.#left++
      if (wanted !== undefined) yield* this.#take(wanted)
    }
  }

  /** Whether an item of the live list gets its turn where the configuration has it. */
  #comesLater(element: string | undefined, wanted: string | undefined): boolean {
    const next = this.#shared[this.#nextShared]
    return (
      element !== undefined &&
      wanted !== undefined &&
      this.#wantedItems.has(element) &&
      next !== undefined &&
      next !== element
    )
  }

  *#take(element: string): Steps<void> {
    this.#right++
    if (this.#shared[this.#nextShared] === element) this.#nextShared++
    this.#merged.add(element)
    const live = this.#liveItems.get(element)
    this.#out.push(yield* merge(live, this.#wantedItems.get(element), this.#shape.items()))
  }
}
