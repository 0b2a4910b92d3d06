import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  parameter,
  STRING,
  TIMESTAMP,
  TYPE,
  type Type,
  typeOf,
  UINT,
} from './types.ts'

/** Types by the names that texts have for them. */
export type NamedTypes = ReadonlyMap<string, Type>

const NAMED: NamedTypes = new Map(
  [DYN, NULL, BOOL, INT, UINT, DOUBLE, STRING, BYTES, TIMESTAMP, DURATION, TYPE].map((type) => [
    type.name,
    type,
  ]),
)

/** The type that a text such as `map(K, list(string))` names; a name of no type is a parameter. */
export function parseType(text: string, more?: NamedTypes): Type {
  const open = text.indexOf('(')
  if (open < 0) return NAMED.get(text) ?? more?.get(text) ?? parameter(text)
  const inner = splitTopLevel(text.slice(open + 1, -1)).map((one) => parseType(one, more))
  const [first = DYN, second = DYN] = inner
  switch (text.slice(0, open)) {
    case 'list':
      return listOf(first)
    case 'map':
      return mapOf(first, second)
    case 'optional':
      return optionalOf(first)
    default:
      return typeOf(first)
  }
}

/** Parts between commas that are in no brackets. */
export function splitTopLevel(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let part = ''
  for (const character of text) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (character === ',' && depth === 0) {
      parts.push(part.trim())
      part = ''
    } else part += character
  }
  return part.trim() === '' ? parts : [...parts, part.trim()]
}
