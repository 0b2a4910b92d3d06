import { Type } from 'typebox'
import { eachField, type StructuralSchema, type TSchema } from './schema.ts'

const RULES = new Set([
  'default',
  'enum',
  'format',
  'maximum',
  'maxItems',
  'maxLength',
  'minimum',
  'minLength',
  'pattern',
  'required',
  'x-kubernetes-validations',
])

/**
 * The same schema without anything that could refuse a value of the right type, and without
 * defaults. For fields whose rules are judged by a controller, or by another kind later on; hence
 * nothing can be relied on when reading one.
 */
export const typesOnly = (schema: TSchema) => Type.Unsafe<Record<string, unknown>>(strip(schema))

function strip({ properties, items, ...keywords }: StructuralSchema): StructuralSchema {
  const kept = Object.entries(keywords).filter(([keyword]) => !RULES.has(keyword))
  return {
    ...Object.fromEntries(kept),
    ...(properties && { properties: eachField(properties, strip) }),
    ...(items && { items: strip(items) }),
  }
}
