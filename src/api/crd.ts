import type { Kind } from './meta.ts'
import { eachField, type StructuralSchema, type TSchema } from './schema.ts'

/** On every CRD of ours, so that an install can tell ours from another project's of the same name. */
export const PART_OF_LABELS = { 'app.kubernetes.io/part-of': 'talos-operator' }

/** The name that the API server knows a kind's CRD by. */
export const crdName = (kind: Kind): string => `${kind.plural}.${kind.group}`

/** The CustomResourceDefinition of a kind, ready to be written as YAML or JSON. */
export const toCrd = (kind: Kind) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: crdName(kind), labels: { ...PART_OF_LABELS } },
  spec: {
    group: kind.group,
    scope: kind.scope,
    names: {
      kind: kind.kind,
      listKind: `${kind.kind}List`,
      plural: kind.plural,
      singular: kind.kind.toLowerCase(),
      shortNames: kind.shortNames,
      categories: ['talos'],
    },
    versions: [
      {
        name: kind.version,
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: kind.columns,
        schema: { openAPIV3Schema: rootSchema(kind) },
      },
    ],
  },
})

/** The schema of a whole object of the kind. */
export const rootSchema = (kind: Kind): StructuralSchema => ({
  description: kind.description,
  type: 'object',
  ...(kind.specRequired && { required: ['spec'] }),
  ...(kind.rules && { 'x-kubernetes-validations': kind.rules }),
  properties: {
    apiVersion: {
      description: `Version of this schema: ${kind.group}/${kind.version}.`,
      type: 'string',
    },
    kind: { description: `The kind of this object: ${kind.kind}.`, type: 'string' },
    metadata: { type: 'object' },
    spec: structural(kind.spec),
    status: structural(kind.status),
  },
})

/**
 * TypeBox lists a field with a default as required, because we can rely on it when reading. Users
 * may leave it out: the API server fills it in before it validates.
 */
function structural(schema: TSchema): StructuralSchema {
  const { required, properties, items, additionalProperties, ...rest }: StructuralSchema = schema
  const demanded = required?.filter((name) => properties?.[name]?.default === undefined) ?? []

  return {
    ...rest,
    ...(demanded.length > 0 && { required: demanded }),
    ...(properties && { properties: eachField(properties, structural) }),
    ...(additionalProperties && { additionalProperties: structural(additionalProperties) }),
    ...(items && { items: structural(items) }),
  }
}
