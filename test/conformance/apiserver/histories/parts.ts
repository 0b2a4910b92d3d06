import { type Fields, isFields } from '#apiserver/objects.ts'
import type { Chance } from './chance.ts'

/** Makes a value by chance. Values come from small pools, so that writers meet. */
export type Part = (chance: Chance) => unknown

type Parts = Record<string, Part>

export const always =
  (value: unknown): Part =>
  () =>
    value

export const oneOf =
  (...values: readonly unknown[]): Part =>
  (chance) =>
    chance.of(values)

/** Some of these fields, and all of those. */
export const some =
  (fields: Parts, required: Parts = {}): ((chance: Chance) => Fields) =>
  (chance) => {
    const chosen = Object.entries(fields).filter(() => chance.is(0.4))
    return Object.fromEntries(
      [...Object.entries(required), ...chosen].map(([name, part]) => [name, part(chance)]),
    )
  }

/** A map of up to three texts. */
export const texts: Part = some({
  a: oneOf('1', '2'),
  b: oneOf('1', '2'),
  c: oneOf('1', '2'),
})

/** A few different items. Those with the same keys are the same; without keys, those that are equal. */
export const few =
  (item: Part, keys: readonly string[] = []): Part =>
  (chance) => {
    const items = Array.from({ length: chance.below(4) }, () => item(chance))
    const identities = items.map((one) => identityOf(one, keys))
    return items.filter((_, index) => identities.indexOf(identities[index] ?? '') === index)
  }

const identityOf = (item: unknown, keys: readonly string[]): string =>
  JSON.stringify(isFields(item) && keys.length > 0 ? keys.map((key) => item[key]) : item)

/** How often something odd is done to each field or list of a value. */
interface Odds {
  /** A field becomes null. */
  nulls: number
  /** A list has an item twice. */
  twice: number
  /** A map or list becomes empty. */
  emptied: number
  /** A map gets a field that no schema knows. */
  unknown: number
}

const NO_ODDS: Odds = { nulls: 0, twice: 0, emptied: 0, unknown: 0 }
export const FEW_ODDS: Odds = { nulls: 0.01, twice: 0.02, emptied: 0.01, unknown: 0.004 }

/** The value with oddities below it. */
export function oddly(value: unknown, odds: Odds, chance: Chance): unknown {
  if (Array.isArray(value)) {
    if (chance.is(odds.emptied)) return []
    const items = value.map((item) => oddly(item, odds, chance))
    return items.length > 0 && chance.is(odds.twice) ? [...items, chance.of(items)] : items
  }
  if (!isFields(value)) return value
  if (chance.is(odds.emptied)) return {}
  const entries = Object.entries(value).map(([name, field]) => [
    name,
    chance.is(odds.nulls) ? null : oddly(field, oddsOf(name, odds), chance),
  ])
  return Object.fromEntries(chance.is(odds.unknown) ? [...entries, ['odd', 'YWJj']] : entries)
}

// How often a wrong owner is told of depends on the kind, and what is wrong with an embedded object is told by its
// decoder: docs/reference/embedded-api.md lists both.
const PLAIN = new Set(['ownerReferences', 'embedded'])

function oddsOf(name: string, odds: Odds): Odds {
  if (PLAIN.has(name)) return NO_ODDS
  // Bytes that are null are stored in one form and compared in another.
  return name === 'binaryData' ? { ...odds, nulls: 0 } : odds
}

/** Lays fields over others: maps are joined, a null removes, everything else is replaced. */
export function laidOver(under: unknown, over: unknown): unknown {
  if (!isFields(over)) return over
  const result: Fields = isFields(under) ? { ...under } : {}
  for (const [name, value] of Object.entries(over)) {
    if (value === null) delete result[name]
    else result[name] = laidOver(result[name], value)
  }
  return result
}
