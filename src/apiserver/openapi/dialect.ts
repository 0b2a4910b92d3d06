import { type Fields, fieldsAt, listAt } from '#apiserver/objects.ts'
import type { Schema } from '#apiserver/schema.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { descriptions } from './meta-descriptions.ts'
import { SHARED } from './shared-definitions.ts'

/** How one version of OpenAPI writes schemas down. */
export interface Dialect {
  /** A reference to a definition, with keywords beside it. */
  reference(name: string, beside: Fields): Fields
  /** A schema or a reference with words for people. */
  described(schema: Fields, description: string): Fields
  /** A value that is any of several types. */
  anyOf(types: readonly string[], format: string | undefined): Fields
  hasDefaults: boolean
  /** Whether a kind that takes any field tells of those that all objects have. */
  describesOpenKinds: boolean
  /** A schema of a CRD, as it is or made simpler. */
  custom(schema: Schema): Steps<Fields>
}

/** OpenAPI 3. */
export const v3: Dialect = {
  reference(name, beside) {
    const reference = { $ref: `#/components/schemas/${name}` }
    return Object.keys(beside).length === 0 ? reference : { ...beside, allOf: [reference] }
  },
  described({ $ref, ...schema }, description) {
    return { description, ...schema, ...($ref !== undefined && { allOf: [{ $ref }] }) }
  },
  anyOf: (types, format) => ({
    ...(format !== undefined && { format }),
    oneOf: types.map((type) => ({ type })),
  }),
  hasDefaults: true,
  describesOpenKinds: true,
  custom: (schema) =>
    withParts(schema, v3, {
      ...schema,
      ...(schema['x-kubernetes-int-or-string'] &&
        !schema.anyOf && { anyOf: [{ type: 'integer' }, { type: 'string' }] }),
    }),
}

/** OpenAPI 2, which knows much less: what cannot be said in it is left open. */
export const v2: Dialect = {
  reference: (name, beside) => ({ $ref: `#/definitions/${name}`, ...beside }),
  described: (schema, description) => ({ description, ...schema }),
  anyOf: (_types, format) => ({ type: 'string', ...(format !== undefined && { format }) }),
  hasDefaults: false,
  describesOpenKinds: false,
  *custom(schema) {
    const { default: _default, nullable, anyOf, oneOf, not, allOf, ...rest } = schema
    const isOpen = nullable || schema['x-kubernetes-preserve-unknown-fields'] === true
    if (!isOpen) return yield* withParts(rest, v2, { ...rest })
    const { type, format, properties, items, additionalProperties, required, ...open } = rest
    return { ...open }
  },
}

/** With the schemas that a schema holds written down in their turn. */
function* withParts(schema: Schema, dialect: Dialect, written: Fields): Steps<Fields> {
  if (isDue()) yield
  const { custom } = dialect
  const { properties, items, additionalProperties } = schema
  if (properties) {
    const parts: [string, Fields][] = []
    for (const [name, part] of Object.entries(properties)) parts.push([name, yield* custom(part)])
    written.properties = Object.fromEntries(parts)
  }
  if (items) written.items = yield* custom(items)
  if (typeof additionalProperties === 'object') {
    written.additionalProperties = yield* custom(additionalProperties)
  }
  return schema['x-kubernetes-embedded-resource'] ? asObject(written, dialect) : written
}

/** An object in an object has what all objects have. */
function asObject(written: Fields, { reference, described }: Dialect): Fields {
  const text = (description: string) => described({ type: 'string' }, description)
  const { apiVersion = '', kind = '', metadata = '' } = descriptions.object ?? {}
  return {
    ...written,
    properties: {
      ...fieldsAt(written, 'properties'),
      apiVersion: text(apiVersion),
      kind: text(kind),
      metadata: described(reference(SHARED.objectMeta, {}), metadata),
    },
    required: [...new Set([...listAt(written, 'required'), 'kind', 'apiVersion'])],
  }
}
