/** A type of CEL. One capital letter stands for any type in a signature. */
export interface CelType {
  /** As messages show it, without what it holds. */
  readonly name: string
  /** What a list, a map or an optional holds. */
  readonly of: readonly CelType[]
  /** Of a message: what can be selected. */
  readonly fields?: ReadonlyMap<string, CelType>
}

export const simpleType = (name: string): CelType => ({ name, of: [] })

/** Anything. */
export const DYN = simpleType('dyn')
/** Of what was already told to be wrong: goes with anything, so that it is told once. */
export const UNKNOWN = simpleType('!error!')
export const BOOL = simpleType('bool')

export const listType = (item: CelType): CelType => ({ name: 'list', of: [item] })
export const mapType = (key: CelType, value: CelType): CelType => ({
  name: 'map',
  of: [key, value],
})

/** A message with the fields that a text such as `name string, tags list(string)` declares. */
export const messageType = (name: string, fields: string): CelType => ({
  name,
  of: [],
  fields: new Map(
    splitTopLevel(fields).map((field) => {
      const [key = '', type = ''] = field.split(/ (.*)/s)
      return [key, parseType(type)]
    }),
  ),
})

/** The type that a text such as `map(int, list(A))` names. */
export function parseType(text: string): CelType {
  const [, name = '', inner] = /^([^(]*)(?:\((.*)\))?$/s.exec(text.trim()) ?? []
  return { name, of: inner === undefined ? [] : splitTopLevel(inner).map(parseType) }
}

/** Parts between commas that stand in no brackets. */
export function splitTopLevel(text: string): string[] {
  const parts = text.match(/(?:[^,()]|\([^()]*(?:\([^()]*\)[^()]*)*\))+/g) ?? []
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

export const formatType = ({ name, of }: CelType): string =>
  of.length === 0 ? name : `${name}(${of.map(formatType).join(', ')})`

/** What the letters of a signature turned out to be. */
export type Bindings = Map<string, CelType>

const isLetter = ({ name }: CelType): boolean => /^[A-Z]$/.test(name)
const isAny = ({ name }: CelType): boolean => name === DYN.name || name === UNKNOWN.name

/** Whether a value of one type can stand where the other is wanted. Fills in what letters mean. */
export function fits(wanted: CelType, given: CelType, bindings: Bindings): boolean {
  if (isLetter(wanted)) {
    const bound = bindings.get(wanted.name)
    if (bound === undefined || isAny(bound)) {
      bindings.set(wanted.name, given)
      return true
    }
    return fits(bound, given, bindings)
  }
  if (isAny(wanted) || isAny(given)) return true
  if (isNullOfMessage(wanted, given)) return true
  return (
    wanted.name === given.name &&
    wanted.of.every((one, i) => fits(one, given.of[i] ?? UNKNOWN, bindings))
  )
}

const isNullOfMessage = (one: CelType, other: CelType): boolean =>
  (one.name === 'null' && other.fields !== undefined) ||
  (other.name === 'null' && one.fields !== undefined)

/** A result with its letters replaced. */
export const resolved = (type: CelType, bindings: Bindings): CelType =>
  isLetter(type)
    ? (bindings.get(type.name) ?? DYN)
    : { ...type, of: type.of.map((one) => resolved(one, bindings)) }
