export type Kind =
  | 'dyn'
  | 'error'
  | 'null'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'timestamp'
  | 'duration'
  | 'list'
  | 'map'
  | 'type'
  | 'parameter'
  /** Something with fields or functions of its own. */
  | 'struct'
  /** Something with functions of its own that may hold others: `optional_type(int)`. */
  | 'opaque'

/** A type of CEL. Types that are told apart by name only have the name in `name`. */
export interface Type {
  kind: Kind
  /** As messages show it. */
  name: string
  parameters: readonly Type[]
  /** Of structs: what can be selected. */
  fields?: ReadonlyMap<string, Type>
}

const simple = (kind: Kind, name: string = kind): Type => ({ kind, name, parameters: [] })

export const DYN = simple('dyn')
export const ERROR = simple('error', '!error!')
export const NULL = simple('null')
export const BOOL = simple('bool')
export const INT = simple('int')
export const UINT = simple('uint')
export const DOUBLE = simple('double')
export const STRING = simple('string')
export const BYTES = simple('bytes')
export const TIMESTAMP = simple('timestamp')
export const DURATION = simple('duration')
/** Of types themselves. */
export const TYPE = simple('type')

export const listOf = (item: Type): Type => ({ kind: 'list', name: 'list', parameters: [item] })
export const mapOf = (key: Type, value: Type): Type => ({
  kind: 'map',
  name: 'map',
  parameters: [key, value],
})
export const typeOf = (of: Type): Type => ({ kind: 'type', name: 'type', parameters: [of] })
export const parameter = (name: string): Type => ({ kind: 'parameter', name, parameters: [] })
export const optionalOf = (of: Type): Type => ({
  kind: 'opaque',
  name: 'optional_type',
  parameters: [of],
})
/** A type that is known by its name only. */
export const opaqueOf = (name: string): Type => simple('opaque', name)
export const structOf = (name: string, fields?: ReadonlyMap<string, Type>): Type => ({
  ...simple('struct', name),
  ...(fields && { fields }),
})

export function formatType(type: Type): string {
  if (type.parameters.length === 0) return type.name
  return `${type.name}(${type.parameters.map(formatType).join(', ')})`
}

export const isDyn = (type: Type): boolean => type.kind === 'dyn'
export const isDynOrError = (type: Type): boolean => type.kind === 'dyn' || type.kind === 'error'
export const isOptional = (type: Type): boolean =>
  type.kind === 'opaque' && type.name === 'optional_type'

export const isExactly = (a: Type, b: Type): boolean =>
  a === b ||
  (a.kind === b.kind &&
    a.name === b.name &&
    a.parameters.length === b.parameters.length &&
    a.parameters.every((one, i) => isExactly(one, b.parameters[i] ?? ERROR)))
