/** An unsigned integer of CEL, which is another type than an integer. */
export class Uint {
  readonly value: bigint
  constructor(value: bigint) {
    this.value = value
  }
}

const NANOS = 1_000_000_000n

/** A length of time in nanoseconds. */
export class Duration {
  readonly nanos: bigint
  constructor(nanos: bigint) {
    this.nanos = nanos
  }
}

/** A moment: nanoseconds since 1970. */
export class Timestamp {
  readonly nanos: bigint
  /** Minutes from UTC in which it was written: how it is shown. */
  readonly offset: number
  constructor(nanos: bigint, offset = 0) {
    this.nanos = nanos
    this.offset = offset
  }
  get seconds(): bigint {
    return this.nanos >= 0n ? this.nanos / NANOS : -((-this.nanos + NANOS - 1n) / NANOS)
  }
}

/** A list; items are made when they are asked for. */
export abstract class ListValue {
  abstract readonly size: number
  abstract at(index: number): Value

  *[Symbol.iterator](): Generator<Value> {
    for (let i = 0; i < this.size; i += 1) yield this.at(i)
  }
}

export class PlainList extends ListValue {
  readonly items: readonly Value[]
  constructor(items: readonly Value[]) {
    super()
    this.items = items
  }
  get size(): number {
    return this.items.length
  }
  at(index: number): Value {
    return this.items[index] ?? null
  }
}

/** A map, or an object with fields: values are made when they are asked for. */
export abstract class MapValue {
  abstract readonly size: number
  /** Undefined where there is no such key. */
  abstract get(key: Value): Value | undefined
  abstract keys(): Value[]
}

/** One text for keys that are the same: whole numbers of any type are. */
function keyOf(key: Value): string | undefined {
  switch (typeof key) {
    case 'string':
      return `s${key}`
    case 'boolean':
      return `b${key}`
    case 'bigint':
      return `n${key}`
    case 'number':
      return Number.isInteger(key) ? `n${BigInt(key)}` : `d${key}`
    default:
      return key instanceof Uint ? `n${key.value}` : undefined
  }
}

/** The text that a key is kept under. */
export function mapKey(key: Value): string {
  const text = keyOf(key)
  if (text === undefined) throw new EvaluationError('unsupported key type')
  return text
}

export class PlainMap extends MapValue {
  private readonly entries: ReadonlyMap<string, readonly [Value, Value]>
  constructor(entries: ReadonlyMap<string, readonly [Value, Value]>) {
    super()
    this.entries = entries
  }
  get size(): number {
    return this.entries.size
  }
  get(key: Value): Value | undefined {
    const text = keyOf(key)
    return text === undefined ? undefined : this.entries.get(text)?.[1]
  }
  keys(): Value[] {
    return [...this.entries.values()].map(([key]) => key)
  }
}

export class OptionalValue {
  /** Undefined for none. */
  readonly value: Value | undefined
  constructor(value: Value | undefined) {
    this.value = value
  }
}

export const NONE = new OptionalValue(undefined)

export class TypeValue {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** What rules cannot look into, only compare: unknown fields that are kept. */
export class Preserved {
  readonly value: unknown
  constructor(value: unknown) {
    this.value = value
  }
}

/** A value of a type that Kubernetes adds: a quantity, an address … */
export abstract class Extension {
  abstract readonly typeName: string
  abstract equals(other: Extension): boolean
  /** What costs are reckoned by. */
  readonly size: number = 1
}

export type Value =
  | bigint
  | number
  | string
  | boolean
  | null
  | Uint8Array
  | Uint
  | Timestamp
  | Duration
  | ListValue
  | MapValue
  | OptionalValue
  | TypeValue
  | Preserved
  | Extension

/** That an evaluation has no result; the message is what Kubernetes says about it. */
export class EvaluationError extends Error {}

export const noSuchOverload = (): EvaluationError => new EvaluationError('no such overload')

/** The name of a value's type, as `type(x)` has it. */
export function typeNameOf(value: Value): string {
  switch (typeof value) {
    case 'bigint':
      return 'int'
    case 'number':
      return 'double'
    case 'string':
      return 'string'
    case 'boolean':
      return 'bool'
    default:
      return value === null ? 'null_type' : objectTypeName(value)
  }
}

function objectTypeName(value: object): string {
  if (value instanceof ListValue) return 'list'
  if (value instanceof MapValue) return 'map'
  if (value instanceof Extension) return value.typeName
  if (value instanceof Uint8Array) return 'bytes'
  if (value instanceof Uint) return 'uint'
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp'
  if (value instanceof Duration) return 'google.protobuf.Duration'
  if (value instanceof OptionalValue) return 'optional_type'
  return value instanceof TypeValue ? 'type' : 'unknown'
}

/** How many characters, bytes, items or entries; 1 for what has no size. */
export function sizeOf(value: Value): number {
  if (typeof value === 'string') return characterCount(value)
  if (value instanceof Uint8Array) return value.length
  if (value instanceof ListValue || value instanceof MapValue) return value.size
  if (value instanceof Extension) return value.size
  if (value instanceof OptionalValue && value.value !== undefined) return sizeOf(value.value)
  return 1
}

const BEYOND_BASIC = /[\ud800-\udbff]/

/** Characters as Unicode counts them. */
export function characterCount(text: string): number {
  if (!BEYOND_BASIC.test(text)) return text.length
  let count = 0
  for (const _ of text) count += 1
  return count
}
