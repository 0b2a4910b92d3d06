import type { StructuralSchema } from '#api/schema.ts'

export interface Field {
  /** As a user would write it: `spec.metalSpec.machines[].address`. */
  path: string
  schema: StructuralSchema
  required: boolean
}

/** Every field below a schema, in the order in which it is declared. */
export function fieldsOf(path: string, schema: StructuralSchema): Field[] {
  const named = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    withChildren({
      path: `${path}.${name}`,
      schema: field,
      required: schema.required?.includes(name) ?? false,
    }),
  )
  return schema.items ? [...named, ...fieldsOf(`${path}[]`, schema.items)] : named
}

const withChildren = (field: Field): Field[] => [field, ...fieldsOf(field.path, field.schema)]
