import type { Functions } from './declarations.ts'
import type { Macros } from './macros.ts'
import { parseType } from './type-text.ts'
import { type Type, typeOf } from './types.ts'

/** What an expression can name, and how it may be written. */
export interface Environment {
  readonly variables: ReadonlyMap<string, Type>
  readonly functions: Functions
  /** Names that stand for types, with the types of types that they are. */
  readonly types: ReadonlyMap<string, Type>
  readonly macros: Macros
  /** Whether `a.?b`, `a[?b]`, `[?a]` and `{?a: b}` can be written. */
  readonly hasOptionals: boolean
  /** Whether a field can be written between backticks, as cel-go takes it since v0.28. */
  readonly hasQuotedFields: boolean
  readonly mostCharacters: number
}

/** The names of types that every expression knows. */
export const STANDARD_TYPES: ReadonlyMap<string, Type> = new Map(
  [
    ['bool', 'bool'],
    ['bytes', 'bytes'],
    ['double', 'double'],
    ['google.protobuf.Duration', 'duration'],
    ['google.protobuf.Timestamp', 'timestamp'],
    ['int', 'int'],
    ['list', 'list(A)'],
    ['map', 'map(A, B)'],
    ['null_type', 'null'],
    ['string', 'string'],
    ['type', 'type'],
    ['uint', 'uint'],
  ].map(([name = '', type = '']) => [name, typeOf(parseType(type))]),
)
