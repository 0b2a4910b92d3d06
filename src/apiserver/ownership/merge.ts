import { type Fields, isFields, put } from '#apiserver/objects.ts'
import { isDeepEqual } from './compare.ts'
import { itemElement } from './list-items.ts'
import { kindOf, type ListShape, type MapShape, type Shape } from './shape.ts'

/**
 * A value with a configuration laid over it: what the configuration has wins, what it leaves out
 * stays. The result shares what it can with both; it is `live` itself when nothing changes.
 */
export function merge(live: unknown, config: unknown, shape: Shape): unknown {
  if (live === undefined) return config
  const kind = kindOf(config, shape)
  if (kind === 'map' && shape.map !== undefined) return mergeMaps(live, config, shape.map)
  if (kind === 'list' && shape.list !== undefined) return mergeLists(live, config, shape.list)
  return live === config ? live : config
}

const mergeLeaves = (live: unknown, config: unknown): unknown =>
  isDeepEqual(live, config) ? live : config

function mergeMaps(live: unknown, config: unknown, shape: MapShape): unknown {
  const fields = isFields(config) ? config : {}
  if (shape.isAtomic || (isEmptyMap(live) && isEmptyMap(fields))) return mergeLeaves(live, config)
  return isFields(live) ? mergeFields(live, fields, shape) : config
}

const isEmptyMap = (value: unknown): boolean => !isFields(value) || Object.keys(value).length === 0

function mergeFields(live: Fields, config: Fields, shape: MapShape): Fields {
  let out: Fields | undefined
  for (const key of Object.keys(config)) {
    const below = shape.at(key)
    if (below === undefined) continue
    const before = Object.hasOwn(live, key) ? live[key] : undefined
    const after = merge(before, config[key], below)
    if (after !== before) {
      out ??= { ...live }
      put(out, key, after)
    }
  }
  return out ?? live
}

function mergeLists(live: unknown, config: unknown, shape: ListShape): unknown {
  const before = Array.isArray(live) ? live : []
  const items = Array.isArray(config) ? config : []
  if (shape.isAtomic || (before.length === 0 && items.length === 0)) {
    return mergeLeaves(live, config)
  }
  if (items.length === 0 || isDeepEqual(live, config)) return live
  const out = new ListMerge(before, items, shape).run()
  const isSame = out.length === before.length && out.every((item, index) => item === before[index])
  return isSame && Array.isArray(live) ? live : out
}

/**
 * Lays one list over another. The items of the configuration are in its order; the others keep their
 * places behind the items that they follow.
 */
class ListMerge {
  readonly #live: readonly unknown[]
  readonly #shape: ListShape
  readonly #elements: readonly string[]
  readonly #wanted: readonly string[]
  /** Items that are not unique are laid over as if nothing were there. */
  readonly #liveItems = new Map<string, unknown>()
  readonly #wantedItems = new Map<string, unknown>()
  readonly #out: unknown[] = []
  readonly #merged = new Set<string>()
  /** The elements that both have, in the order of the configuration, and the next one of them. */
  readonly #shared: readonly string[]
  #nextShared = 0
  #left = 0
  #right = 0

  constructor(live: readonly unknown[], config: readonly unknown[], shape: ListShape) {
    this.#live = live
    this.#shape = shape
    this.#elements = live.map((item) => itemElement(item, shape))
    this.#wanted = config.map((item) => itemElement(item, shape))
    for (const [index, element] of this.#elements.entries()) {
      this.#liveItems.set(element, this.#liveItems.has(element) ? null : live[index])
    }
    for (const [index, element] of this.#wanted.entries()) {
      this.#wantedItems.set(element, config[index])
    }
    this.#shared = this.#wanted.filter((element) => this.#liveItems.has(element))
  }

  run(): unknown[] {
    while (this.#left < this.#elements.length || this.#right < this.#wanted.length) this.#step()
    return this.#out
  }

  #step(): void {
    const element = this.#elements[this.#left]
    const wanted = this.#wanted[this.#right]
    if (element !== undefined && element === wanted) {
      this.#left++
      this.#take(wanted)
    } else if (this.#comesLater(element, wanted)) {
      this.#left++
    } else if (element !== undefined && !this.#wantedItems.has(element)) {
      this.#out.push(this.#live[this.#left])
      this.#left++
    } else {
      if (element !== undefined && this.#merged.has(element)) this.#left++
      if (wanted !== undefined) this.#take(wanted)
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

  #take(element: string): void {
    this.#right++
    if (this.#shared[this.#nextShared] === element) this.#nextShared++
    this.#merged.add(element)
    const live = this.#liveItems.get(element)
    this.#out.push(merge(live, this.#wantedItems.get(element), this.#shape.items()))
  }
}
