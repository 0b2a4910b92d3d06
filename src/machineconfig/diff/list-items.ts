import type { Value } from '#machineconfig/document.ts'
import { isList, isMap } from './compare-values.ts'
import type { Twin } from './twin.ts'

/** An item of two lists: what it was, what it is, and what to call it. */
export interface Item {
  readonly name: string
  readonly before: Twin | undefined
  readonly after: Twin | undefined
}

// By which people tell the items of Talos' lists apart, the surest first.
const IDENTITIES = ['name', 'interface', 'vlanId', 'mountPath', 'path', 'destination', 'device']

/**
 * Which item of one list became which of the other: by what they are called where that is unique,
 * else by their place. Single values come and go, they do not change.
 */
export function itemsOf(before: Twin, after: Twin): Item[] {
  const old = twinsIn(before)
  const recent = twinsIn(after)
  const identity = IDENTITIES.find((key) => tellsApart(key, old) && tellsApart(key, recent))
  if (identity) return byName(old, recent, identity)
  if ([...old, ...recent].every(({ real }) => !isMap(real) && !isList(real))) {
    return comingAndGoing(old, recent)
  }
  return byPlace(old, recent)
}

function twinsIn({ real, shown }: Twin): Twin[] {
  const looks = isList(shown) ? shown : []
  return isList(real) ? real.map((item, at) => ({ real: item, shown: looks[at] ?? null })) : []
}

function tellsApart(key: string, items: readonly Twin[]): boolean {
  const names = items.map(({ real }) => nameIn(real, key))
  return names.every((name) => name !== undefined) && new Set(names).size === names.length
}

function nameIn(value: Value, key: string): string | undefined {
  const name = isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return typeof name === 'string' || typeof name === 'number' ? String(name) : undefined
}

function byName(old: readonly Twin[], recent: readonly Twin[], identity: string): Item[] {
  const named = (items: readonly Twin[]) =>
    new Map(items.map((item) => [nameIn(item.real, identity) ?? '', item]))
  const before = named(old)
  const after = named(recent)
  const names = [...new Set([...before.keys(), ...after.keys()])]
  return names.map((name) => ({ name, before: before.get(name), after: after.get(name) }))
}

function comingAndGoing(old: readonly Twin[], recent: readonly Twin[]): Item[] {
  const gone = withoutPartners(old, recent)
  const left = withoutPartners(recent, old)
  // Nothing came or went: it is their order that changed.
  if (gone.length === 0 && left.length === 0) return byPlace(old, recent)
  return [
    ...gone.map((before) => ({ name: '', before, after: undefined })),
    ...left.map((after) => ({ name: '', before: undefined, after })),
  ]
}

/** Single values that there are more of here than there, the last ones. */
function withoutPartners(items: readonly Twin[], others: readonly Twin[]): Twin[] {
  const partners = new Map<Value, number>()
  for (const { real } of others) partners.set(real, (partners.get(real) ?? 0) + 1)
  return items.filter(({ real }) => {
    const count = partners.get(real) ?? 0
    partners.set(real, count - 1)
    return count <= 0
  })
}

const byPlace = (old: readonly Twin[], recent: readonly Twin[]): Item[] =>
  Array.from({ length: Math.max(old.length, recent.length) }, (_, at) => ({
    name: String(at),
    before: old[at],
    after: recent[at],
  }))
