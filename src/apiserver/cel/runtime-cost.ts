import { Format } from './functions/formats.ts'
import { ListValue, MapValue, sizeOf, type Value } from './values.ts'

/** What a call cost, from its arguments and result. */
type CallCost = (args: readonly Value[], result: Value) => number

const ONE: CallCost = () => 1

/** How the cost of a function's calls is reckoned. */
export const callCost = (name: string): CallCost => COSTS.get(name) ?? ONE

const size = (value: Value | undefined): number => (value === undefined ? 1 : sizeOf(value))
const read = (value: Value | undefined, factor = 1): number => Math.ceil(size(value) * 0.1 * factor)
const regex = (text: Value | undefined, length: number): number =>
  Math.ceil((1 + size(text)) * 0.1) * Math.ceil(length * 0.25)

/** Of looking at everything in a value. */
function traversal(value: Value): number {
  if (typeof value === 'string') return Math.floor(Buffer.byteLength(value) * 0.1)
  if (value instanceof Uint8Array) return Math.floor(value.length * 0.1)
  if (value instanceof ListValue) {
    let sum = 0
    for (const item of value) sum += traversal(item)
    return sum
  }
  if (!(value instanceof MapValue)) return 1
  return value
    .keys()
    .reduce((sum: number, key) => sum + traversal(key) + traversal(value.get(key) ?? null), 0)
}

const first: CallCost = ([value]) => read(value)
const whole: CallCost = ([value = null]) => traversal(value)
const twice: CallCost = ([value]) => read(value, 2)
const search: CallCost = ([text, pattern]) => regex(text, size(pattern))
const both: CallCost = ([a, b]) => Math.ceil(Math.min(size(a), size(b)) * 0.1)

const isText = (value: Value | undefined): boolean =>
  typeof value === 'string' || value instanceof Uint8Array

const ordered: CallCost = (args) => (isText(args[0]) ? both(args, null) : 1)

const added: CallCost = ([a, b]) => (isText(a) ? Math.ceil((size(a) + size(b)) * 0.1) : 1)

const allocated: CallCost = (_, result) => size(result) + 11

const compared =
  (index: number): CallCost =>
  (args) => {
    const keys = args[index]
    const count = size(keys)
    const isTexts = keys instanceof ListValue && count > 0 && isText(keys.at(0))
    return Math.floor(count * count * (isTexts ? 2.1 : 2)) + 11
  }

const sets =
  (factor: number): CallCost =>
  ([a, b]) =>
    1 + size(a) * size(b) * factor

const COSTS: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ...['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'].map((name): [string, CallCost] => [
    name,
    whole,
  ]),
  ...['url', 'lowerAscii', 'upperAscii', 'substring', 'trim', 'cidr', 'isIP', 'isCIDR', 'ip'].map(
    (name): [string, CallCost] => [name, first],
  ),
  ...['quantity', 'isQuantity', 'semver', 'isSemver', 'startsWith', 'endsWith', 'format'].map(
    (name): [string, CallCost] => [name, first],
  ),
  ...['_<_', '_<=_', '_>_', '_>=_'].map((name): [string, CallCost] => [name, ordered]),
  ['replace', twice],
  ['split', twice],
  ['ip.isCanonical', twice],
  ['join', (_, result) => read(result, 2)],
  ['find', search],
  ['findAll', search],
  ['matches', search],
  ['_==_', both],
  ['_!=_', both],
  ['_+_', added],
  ['@in', ([, container]) => (container instanceof ListValue ? container.size : 1)],
  ['contains', ([text, part]) => read(text) * read(part)],
  ['bytes', ([value]) => (typeof value === 'string' ? read(value) : 1)],
  ['string', ([value]) => (value instanceof Uint8Array ? read(value) : 1)],
  ['strings.quote', first],
  ['validate', ([format, text]) => (format instanceof Format ? regex(text, format.regexSize) : 1)],
  [
    'containsIP',
    ([network, other]) =>
      Math.ceil(size(network) * 2 * 0.1) + (typeof other === 'string' ? read(other) : 0),
  ],
  [
    'containsCIDR',
    ([network, other]) =>
      Math.ceil(size(network) * 2 * 0.1) +
      read(network) +
      1 +
      (typeof other === 'string' ? read(other) : 0),
  ],
  ['slice', allocated],
  ['lists.range', allocated],
  ['reverse', allocated],
  ['flatten', ([list, depth]) => Math.floor(size(list) * Number(depth ?? 1n)) + 11],
  ['distinct', compared(0)],
  ['sort', compared(0)],
  ['@sortByAssociatedKeys', compared(1)],
  ['sets.contains', sets(1)],
  ['sets.intersects', sets(1)],
  ['sets.equivalent', sets(2)],
])
