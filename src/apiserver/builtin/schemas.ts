import type { Schema } from '#apiserver/schema.ts'
import { type Definition, definitionOf, nameOfReference, type Shape } from './table.ts'

export const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'
export const DELETE_OPTIONS = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions'

/**
 * The schema of a built-in type by the name of its definition, such as `io.k8s.api.core.v1.Pod`: always the
 * same object, made on first use, with everything that it refers to. Throws if there is no such type.
 */
export function schemaOf(name: string): Schema {
  const known = schemas.get(name)
  if (known) return known
  const definition = definitionOf(name)
  const properties: Record<string, Schema> = {}
  const schema: Schema = {
    ...keywordsOf(definition.shape),
    ...(definition.fields.length > 0 ? { properties } : freeForm(name)),
    ...requiredOf(definition),
  }
  // Known before its fields are, because a type may contain itself.
  schemas.set(name, schema)
  names.set(schema, name)
  for (const { name: field, shape } of definition.fields) properties[field] = unfold(shape)
  return schema
}

/** The definition that a schema is made of, if it is one of a built-in type. */
export const definitionNameOf = (schema: Schema): string | undefined => names.get(schema)

const schemas = new Map<string, Schema>()
const names = new WeakMap<Schema, string>()
/** References with keywords of their own beside them, such as a default. */
const variants = new Map<string, Schema>()

function unfold(shape: Shape): Schema {
  if (shape.r !== undefined) return unfoldReference(shape, nameOfReference(shape.r))
  return {
    ...keywordsOf(shape),
    ...(shape.i && { items: unfold(shape.i) }),
    ...(shape.a && { additionalProperties: unfold(shape.a) }),
  }
}

function unfoldReference(shape: Shape, name: string): Schema {
  const target = schemaOf(name)
  const own = keywordsOf(shape)
  if (Object.keys(own).length === 0) return target
  const key = `${name} ${JSON.stringify(own)}`
  const known = variants.get(key)
  if (known) return known
  const variant = { ...target, ...own }
  variants.set(key, variant)
  names.set(variant, name)
  return variant
}

const keywordsOf = (shape: Shape): Schema => ({
  ...(shape.t !== undefined && { type: shape.t }),
  ...(shape.f !== undefined && { format: shape.f }),
  ...(shape.f === 'int-or-string' && { 'x-kubernetes-int-or-string': true }),
  ...(shape.o && { oneOf: shape.o.map((type) => ({ type })) }),
  ...(shape.e && { enum: shape.e }),
  ...(shape.d !== undefined && { default: shape.d }),
  ...(shape.l && { 'x-kubernetes-list-type': shape.l }),
  ...(shape.k && { 'x-kubernetes-list-map-keys': shape.k }),
  ...(shape.m && { 'x-kubernetes-map-type': shape.m }),
  ...(shape.s !== undefined && { 'x-kubernetes-patch-strategy': shape.s }),
  ...(shape.y !== undefined && { 'x-kubernetes-patch-merge-key': shape.y }),
})

const requiredOf = ({ fields }: Definition): Schema => {
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  return required.length > 0 ? { required } : {}
}

/** Types with no fields of their own that hold whatever they are given. */
function freeForm(name: string): Schema {
  const type = name.slice(name.lastIndexOf('.') + 1)
  return {
    ...(FREE_FORM.has(type) && { 'x-kubernetes-preserve-unknown-fields': true }),
    // Only as a whole has it an owner.
    ...(type === 'RawExtension' && { 'x-kubernetes-map-type': 'atomic' }),
  }
}

const FREE_FORM = new Set([
  'FieldsV1',
  'JSON',
  'JSONSchemaPropsOrArray',
  'JSONSchemaPropsOrBool',
  'JSONSchemaPropsOrStringArray',
  'Patch',
  'RawExtension',
])
