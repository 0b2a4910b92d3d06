import { canonicalTime, timeProblem } from '#apiserver/builtin/go-time.ts'
import { isFields } from '#apiserver/objects.ts'

/** How Go's decoder takes a value into a field of one type. */
export interface GoType {
  /** As it is called in errors. */
  name: string
  /** What of JSON goes in: a kind of value, or each value of a map or list. */
  takes: (value: unknown) => WrongPart | undefined
  /** Whether the field is left out when it is written again. */
  isEmpty: (value: unknown) => boolean
  normal?: (value: unknown) => unknown
  struct?: { name: string; fields: Readonly<Record<string, GoType>> }
}

/** What does not fit: the JSON that was there, and the type that it should have gone into. */
interface WrongPart {
  json?: string
  type?: string
  /** Said instead of the usual sentence. */
  sentence?: string
}

export function typeOfJson(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

const wrong = (value: unknown, type: string): WrongPart => ({ json: typeOfJson(value), type })

const takesText = (value: unknown): WrongPart | undefined =>
  typeof value === 'string' || value === null ? undefined : wrong(value, 'string')

const takesBool = (value: unknown): WrongPart | undefined =>
  typeof value === 'boolean' || value === null ? undefined : wrong(value, 'bool')

function takesWhole(value: unknown): WrongPart | undefined {
  if (value === null || (typeof value === 'number' && Number.isInteger(value))) return undefined
  if (typeof value !== 'number') return wrong(value, 'int64')
  return { json: `number ${value}`, type: 'int64' }
}

function takesTime(value: unknown): WrongPart | undefined {
  if (value === null) return undefined
  if (typeof value !== 'string') {
    return wrong(value, 'string')
  }
  const sentence = timeProblem(value)
  return sentence === undefined ? undefined : { sentence }
}

const takesTexts = (value: unknown): WrongPart | undefined => {
  if (value === null) return undefined
  return Array.isArray(value) ? firstOf(value.map(takesText)) : wrong(value, '[]string')
}

const takesTextMap = (value: unknown): WrongPart | undefined => {
  if (value === null) return undefined
  if (!isFields(value)) return wrong(value, 'map[string]string')
  return firstOf(Object.values(value).map(takesText))
}

const firstOf = (parts: readonly (WrongPart | undefined)[]): WrongPart | undefined =>
  parts.find((part) => part !== undefined)

const isNull = (value: unknown): boolean => value === null
const isZero = (value: unknown): boolean => value === null || value === '' || value === 0
const isBare = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0)

const withoutNulls = (value: unknown): unknown =>
  isFields(value)
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, one ?? '']))
    : value

const inUtc = (value: unknown): unknown =>
  typeof value === 'string' ? canonicalTime(value) : value

export const goTypes = {
  text: { name: 'string', takes: takesText, isEmpty: isZero },
  uid: {
    name: 'types.UID',
    takes: (value: unknown) => takesText(value) && { json: typeOfJson(value), type: 'types.UID' },
    isEmpty: isZero,
  },
  bool: { name: 'bool', takes: takesBool, isEmpty: isNull },
  whole: { name: 'int64', takes: takesWhole, isEmpty: isZero },
  time: { name: 'v1.Time', takes: takesTime, isEmpty: isNull, normal: inUtc },
  texts: {
    name: '[]string',
    takes: takesTexts,
    isEmpty: isBare,
    normal: (value: unknown) => (Array.isArray(value) ? value.map((one) => one ?? '') : value),
  },
  textMap: {
    name: 'map[string]string',
    takes: takesTextMap,
    isEmpty: isBare,
    normal: withoutNulls,
  },
  json: { name: 'v1.FieldsV1', takes: () => undefined, isEmpty: isNull },
  structs: (name: string, fields: Readonly<Record<string, GoType>>): GoType => ({
    name: `[]v1.${name}`,
    takes: (value) =>
      value === null || Array.isArray(value) ? undefined : wrong(value, `[]v1.${name}`),
    isEmpty: isBare,
    struct: { name, fields },
  }),
} as const

/** What Go's decoder says about a part that does not fit into a field. */
export const sentenceOf = (part: WrongPart, field: string): string =>
  part.sentence ??
  `json: cannot unmarshal ${part.json ?? ''} into Go struct field ${field} of type ${part.type ?? ''}`
