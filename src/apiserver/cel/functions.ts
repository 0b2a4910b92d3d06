import { ADDRESSES } from './functions/addresses.ts'
import type { CelFunction } from './functions/argument.ts'
import { ARITHMETIC } from './functions/arithmetic.ts'
import { COMPARISON } from './functions/comparison.ts'
import { CONVERSION } from './functions/conversion.ts'
import { FORMAT_FUNCTIONS } from './functions/formats.ts'
import { LISTS } from './functions/lists.ts'
import { OPTIONALS } from './functions/optionals.ts'
import { compareQuantities, isQuantityValue, QUANTITIES } from './functions/quantities.ts'
import { REGEXES } from './functions/regexes.ts'
import { compareSemvers, SEMVERS } from './functions/semvers.ts'
import { STRINGS } from './functions/strings.ts'
import { TIME_PARTS } from './functions/time-parts.ts'
import { URLS } from './functions/urls.ts'
import { noSuchOverload, type Value } from './values.ts'

const order = ([a, b]: readonly Value[]): number =>
  isQuantityValue(a) ? compareQuantities(a, b) : compareSemvers(a, b)

const FUNCTIONS: ReadonlyMap<string, CelFunction> = new Map(
  Object.entries({
    ...ARITHMETIC,
    ...COMPARISON,
    ...CONVERSION,
    ...TIME_PARTS,
    ...STRINGS,
    ...REGEXES,
    ...LISTS,
    ...OPTIONALS,
    ...QUANTITIES,
    ...SEMVERS,
    ...ADDRESSES,
    ...URLS,
    ...FORMAT_FUNCTIONS,
    compareTo: (args: readonly Value[]) => BigInt(order(args)),
    isLessThan: (args: readonly Value[]) => order(args) < 0,
    isGreaterThan: (args: readonly Value[]) => order(args) > 0,
  }),
)

const MISSING: CelFunction = () => {
  throw noSuchOverload()
}

/** What a function does. Each that the checker knows is here. */
export const functionOf = (name: string): CelFunction => FUNCTIONS.get(name) ?? MISSING
