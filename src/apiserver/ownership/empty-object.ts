import type { Fields } from '#apiserver/objects.ts'
import type { Schema } from '#apiserver/schema.ts'

const known = new WeakMap<Schema, Fields>()

/**
 * A new object of a built-in kind with nothing in it, as Kubernetes starts from one: what is always
 * there has its zero value, which nobody owns. Objects of CRDs start from nothing at all.
 */
export function emptyObjectOf(schema: Schema): Fields {
  let empty = known.get(schema)
  if (empty === undefined) {
    empty = zeroOf(schema)
    known.set(schema, empty)
  }
  return empty
}

function zeroOf(schema: Schema): Fields {
  const { properties = {}, required = [] } = referred(schema)
  const out: Fields = {}
  for (const name of Object.keys(properties)) {
    const property = properties[name] ?? {}
    if (isStruct(property)) out[name] = zeroOf(property)
    else if (required.includes(name)) out[name] = property.default ?? null
  }
  return out
}

const referred = (schema: Schema): Schema =>
  schema.properties === undefined ? (schema.allOf?.[0] ?? schema) : schema

/** Kubernetes gives every struct that is no pointer the default `{}`. */
const isStruct = ({ default: value }: Schema): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0
