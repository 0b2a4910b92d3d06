import { definitions, packages, shapes } from './generated/kinds.ts'

/**
 * The shape of a field or a definition as the generated table has it: what the OpenAPI document of a real
 * API server says, and what only its Go types know, in keys of one letter.
 */
export interface Shape {
  /** Type, format, `oneOf` types. */
  t?: string
  f?: string
  o?: readonly string[]
  /** A definition, by the number of its package: `9.PodSpec`. */
  r?: string
  /** Items of a list, values of a map. */
  i?: Shape
  a?: Shape
  /** Enum and default. */
  e?: readonly unknown[]
  d?: unknown
  /** List type, list map keys, map type, patch strategy, patch merge key. */
  l?: 'atomic' | 'set' | 'map'
  k?: readonly string[]
  m?: 'atomic' | 'granular'
  s?: string
  y?: string
  /** A pointer in Go: absent and zero differ. */
  p?: 1
  /** Written even when it is empty. */
  w?: 1
  /** The name of its Go type, where it does not follow from the rest. */
  g?: string
}

export interface Field {
  name: string
  shape: Shape
  isRequired: boolean
  /** The Go structs that it is embedded by, which Go names in its messages. */
  embedded: readonly string[]
}

export interface Definition {
  /** `io.k8s.api.core.v1.Pod` */
  name: string
  /** Group, version and kind, if it is one. */
  gvk: readonly [string, string, string] | undefined
  shape: Shape
  fields: readonly Field[]
}

/** The definition of a built-in type by its full name; throws if there is none. */
export function definitionOf(name: string): Definition {
  const known = parsed.get(name)
  if (known) return known
  const line = index().get(name)
  if (line === undefined) throw new Error(`there is no built-in type ${name}`)
  const definition = parseDefinition(name, line)
  parsed.set(name, definition)
  return definition
}

/** The full name of the definition of a built-in kind, if there is one. */
export const definitionOfKind = (
  group: string,
  version: string,
  kind: string,
): string | undefined => kinds().get(`${group}/${version}/${kind}`)

/** The full name of what a shape refers to. */
export function nameOfReference(reference: string): string {
  const dot = reference.indexOf('.')
  const folder = packageNames()[Number(reference.slice(0, dot))] ?? ''
  return folder + reference.slice(dot)
}

const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

const parsed = new Map<string, Definition>()
const packageNames = once(() => packages.split('\n'))
const shapeLines = once(() => shapes.split('\n'))
const parsedShapes = new Map<string, Shape>()

/** Each definition's line without its name: most are never looked at. */
const index = once(() => {
  const lines = new Map<string, string>()
  for (const line of definitions.split('\n')) {
    const end = line.indexOf('|')
    lines.set(nameOfReference(line.slice(0, end)), line.slice(end + 1))
  }
  return lines
})

const KIND = /^([^|]+)\|.*"gvk":\["([^"]*)","([^"]*)","([^"]*)"\]/gm

const kinds = once(
  () =>
    new Map(
      [...definitions.matchAll(KIND)].map(([, reference = '', ...gvk]) => [
        gvk.join('/'),
        nameOfReference(reference),
      ]),
    ),
)

function parseDefinition(name: string, line: string): Definition {
  const end = line.lastIndexOf('|')
  const own: Shape & { gvk?: Definition['gvk'] } = JSON.parse(line.slice(0, end)) // the generated table's own words
  const { gvk, ...shape } = own
  const fields = line.slice(end + 1)
  return { name, gvk, shape, fields: fields === '' ? [] : fields.split(' ').map(parseField) }
}

function parseField(text: string): Field {
  const [, name = '', number = '', required = '', embedded = ''] = FIELD.exec(text) ?? []
  return {
    name,
    shape: shapeNumbered(number),
    isRequired: required !== '',
    embedded: embedded.split('^').slice(1),
  }
}

const FIELD = /^([^=]+)=(\w+)(!?)(.*)$/

/** `number` is in base 36. */
function shapeNumbered(number: string): Shape {
  const known = parsedShapes.get(number)
  if (known) return known
  const shape: Shape = JSON.parse(shapeLines()[Number.parseInt(number, 36)] ?? '{}') // the same table
  parsedShapes.set(number, shape)
  return shape
}
