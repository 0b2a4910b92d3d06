import type { Schema } from '#apiserver/schema.ts'

/** How a field is patched, by its schema. */
export interface Rule {
  /** `merge`, `replace`, or nothing: maps are merged then, and lists replaced. */
  readonly strategy: string
  readonly mergeKey: string
  /** The schema of the field, or of the items of a list. */
  readonly below: Schema | undefined
}

const unknown: Rule = { strategy: '', mergeKey: '', below: undefined }

export function ruleOf(schema: Schema | undefined, key: string): Rule {
  const field = fieldOf(schema && referred(schema), key)
  if (field === undefined) return unknown
  const strategies = (field['x-kubernetes-patch-strategy'] ?? '').split(',')
  const { items } = referred(field)
  return {
    strategy: strategies.find((strategy) => strategy !== 'retainKeys') ?? '',
    mergeKey: field['x-kubernetes-patch-merge-key'] ?? '',
    below: items ?? field,
  }
}

function fieldOf(schema: Schema | undefined, key: string): Schema | undefined {
  const { properties = {}, additionalProperties } = schema ?? {}
  if (Object.hasOwn(properties, key)) return properties[key]
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

/** OpenAPI wraps a reference into `allOf` to say something beside it. */
const referred = (schema: Schema): Schema =>
  schema.properties === undefined && schema.items === undefined
    ? (schema.allOf?.[0] ?? schema)
    : schema
