import type { Shape } from './table.ts'

/**
 * What Go calls a type in its messages, if nobody gave it a name of its own: `int32`, `[]v1.Container`. `nameOf`
 * tells the full name of a definition that a shape refers to.
 */
export function goTypeOf(shape: Shape, nameOf: (reference: string) => string): string {
  if (shape.r !== undefined) return nameOf(shape.r).split('.').slice(-2).join('.')
  if (shape.i) return `[]${goTypeOf(shape.i, nameOf)}`
  if (shape.a) return `map[string]${goTypeOf(shape.a, nameOf)}`
  return NAMES[shape.f ?? shape.t ?? ''] ?? shape.f ?? shape.t ?? ''
}

/** The type of what a list or a map holds; as it is if the type has a name that does not tell. */
export const elementTypeOf = (goType: string): string => goType.replace(/^(?:\[\]|map\[.*?\])/, '')

const NAMES: Readonly<Record<string, string>> = {
  boolean: 'bool',
  byte: '[]uint8',
  double: 'float64',
  number: 'float64',
}
