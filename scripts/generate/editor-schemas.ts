// JSON schemas for editors and for kubeconform: the same fields, and a typo is an error.

import { rootSchema } from '#api/crd.ts'
import type { Kind } from '#api/meta.ts'
import { eachField, type StructuralSchema } from '#api/schema.ts'
import { type GeneratedFile, MARKER } from './tree.ts'

const FOLDER = 'config/schemas'
const DRAFT = 'http://json-schema.org/draft-07/schema#'

export const editorSchemaFiles = (kinds: readonly Kind[]): GeneratedFile[] => [
  ...kinds.map((kind) => ({
    path: `${FOLDER}/${fileName(kind)}`,
    content: json({ $schema: DRAFT, title: kind.kind, ...editorSchema(kind) }),
  })),
  {
    path: `${FOLDER}/all.json`,
    content: json({
      $schema: DRAFT,
      title: 'Any kind of talos-operator',
      oneOf: kinds.map((kind) => ({ $ref: fileName(kind) })),
    }),
  },
]

/** The schema of a manifest of the kind, in JSON Schema draft 7. */
export function editorSchema(kind: Kind): Record<string, unknown> {
  const root = rootSchema(kind)
  const { spec, status } = root.properties ?? {}
  return {
    type: 'object',
    description: kind.description,
    required: ['apiVersion', 'kind', 'metadata', ...(root.required ?? [])],
    additionalProperties: false,
    properties: {
      apiVersion: { const: `${kind.group}/${kind.version}` },
      kind: { const: kind.kind },
      metadata: { type: 'object', description: 'Name, namespace, labels and annotations.' },
      ...(spec && { spec: editorNode(spec) }),
      ...(status && { status: editorNode(status) }),
    },
  }
}

function editorNode(schema: StructuralSchema): Record<string, unknown> {
  const { properties, items, additionalProperties, nullable, ...keywords } = schema
  const plain = Object.entries(keywords).filter(([keyword]) => !keyword.startsWith('x-kubernetes-'))
  return {
    ...Object.fromEntries(plain),
    ...(nullable && { type: [schema.type, 'null'] }),
    ...(properties && {
      properties: eachField(properties, editorNode),
      additionalProperties: schema['x-kubernetes-preserve-unknown-fields'] ?? false,
    }),
    ...(additionalProperties && { additionalProperties: editorNode(additionalProperties) }),
    ...(items && { items: editorNode(items) }),
  }
}

const fileName = ({ group, kind, version }: Kind): string =>
  `${group}/${kind.toLowerCase()}_${version}.json`

// The marker shares line one with the brace, because JSON has no comments.
const json = (schema: object): string =>
  `{ "$comment": ${JSON.stringify(MARKER)},${JSON.stringify(schema, null, 2).slice(1)}\n`
