import {
  type Bindings,
  type CelType,
  fits,
  parseType,
  resolved,
  splitTopLevel,
} from './cel-type.ts'

const NUMBERS = ['int', 'uint', 'double']
const ORDERED = ['bool', ...NUMBERS, 'string', 'bytes', 'timestamp', 'duration']

const same = (name: string, types: readonly string[], result?: string): string[] =>
  types.map((type) => `${name}(${type}, ${type}): ${result ?? type}`)

const from = (name: string, types: string): string[] =>
  types.split(' ').map((type) => `${name}(${type}): ${name}`)

const DATE_PARTS = [
  'getFullYear',
  'getMonth',
  'getDayOfYear',
  'getDayOfMonth',
  'getDate',
  'getDayOfWeek',
]
const TIME_PARTS = ['getHours', 'getMinutes', 'getSeconds', 'getMilliseconds']

const STANDARD = [
  '!_(bool): bool',
  '-_(int): int',
  '-_(double): double',
  ...same('_+_', [...NUMBERS, 'string', 'bytes', 'duration', 'list(A)']),
  '_+_(timestamp, duration): timestamp',
  '_+_(duration, timestamp): timestamp',
  ...same('_-_', [...NUMBERS, 'duration']),
  '_-_(timestamp, duration): timestamp',
  '_-_(timestamp, timestamp): duration',
  ...['_*_', '_/_'].flatMap((name) => same(name, NUMBERS)),
  ...same('_%_', ['int', 'uint']),
  ...['_<_', '_<=_', '_>_', '_>=_'].flatMap((name) => same(name, ORDERED, 'bool')),
  ...['_==_', '_!=_'].flatMap((name) => same(name, ['A'], 'bool')),
  '_?_:_(bool, A, A): A',
  '@in(A, list(A)): bool',
  '@in(A, map(A, B)): bool',
  '_[_](list(A), int): A',
  '_[_](map(A, B), A): B',
  ...['string', 'bytes', 'list(A)', 'map(A, B)'].flatMap((type) => [
    `size(${type}): int`,
    `${type}#size(): int`,
  ]),
  ...['contains', 'startsWith', 'endsWith', 'matches'].map(
    (name) => `string#${name}(string): bool`,
  ),
  'matches(string, string): bool',
  ...from('bool', 'bool string'),
  ...from('int', 'int uint double string timestamp duration'),
  ...from('uint', 'uint int double string'),
  ...from('double', 'double int uint string'),
  ...from('string', 'string bool int uint double bytes timestamp duration'),
  ...from('bytes', 'bytes string'),
  ...from('duration', 'duration string int'),
  ...from('timestamp', 'timestamp string int'),
  'dyn(A): dyn',
  'type(A): type(A)',
  ...[...DATE_PARTS, ...TIME_PARTS].flatMap((name) => [
    `timestamp#${name}(): int`,
    `timestamp#${name}(string): int`,
  ]),
  ...TIME_PARTS.map((name) => `duration#${name}(): int`),
]

/** What expressions have besides where optional values are known. */
export const OPTIONALS: readonly string[] = [
  'optional.of(A): optional_type(A)',
  'optional.ofNonZeroValue(A): optional_type(A)',
  'optional.none(): optional_type(A)',
  'optional_type(A)#hasValue(): bool',
  'optional_type(A)#value(): A',
  'optional_type(A)#or(optional_type(A)): optional_type(A)',
  'optional_type(A)#orValue(A): A',
  '_[_](optional_type(list(A)), int): optional_type(A)',
  '_[_](optional_type(map(A, B)), A): optional_type(B)',
  '_[?_](list(A), int): optional_type(A)',
  '_[?_](map(A, B), A): optional_type(B)',
]

interface Signature {
  readonly isMethod: boolean
  /** What it is called on comes first. */
  readonly wanted: readonly CelType[]
  readonly result: CelType
}

/** The ways to call each function. */
export type Functions = ReadonlyMap<string, readonly Signature[]>

/** Those that every expression has, and more of the form `string#contains(string): bool`. */
export function functionsOf(more: readonly string[]): Functions {
  const functions = new Map<string, Signature[]>()
  for (const text of [...STANDARD, ...more]) {
    const [, target, name = '', args = '', result = ''] =
      /^(?:([^#]*)#)?([^(]*)\((.*)\): (.*)$/.exec(text) ?? []
    const wanted = [...(target === undefined ? [] : [target]), ...splitTopLevel(args)].map(
      parseType,
    )
    const signature = { isMethod: target !== undefined, wanted, result: parseType(result) }
    functions.set(name, [...(functions.get(name) ?? []), signature])
  }
  return functions
}

/** What a call gives, or undefined if no way to call it takes these types. */
export function resultOf(
  signatures: readonly Signature[],
  given: readonly CelType[],
  isMethod: boolean,
): CelType | undefined {
  for (const signature of signatures) {
    const { wanted, result } = signature
    const bindings: Bindings = new Map()
    const isForm = signature.isMethod === isMethod && wanted.length === given.length
    if (isForm && wanted.every((one, i) => fits(one, given[i] ?? one, bindings))) {
      return resolved(result, bindings)
    }
  }
  return undefined
}
