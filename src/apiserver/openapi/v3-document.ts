import { version } from '#apiserver/builtin/generated/kinds.ts'
import { definitionOfKind } from '#apiserver/builtin/table.ts'
import type { Fields } from '#apiserver/objects.ts'
import type { Steps } from '#apiserver/steps.ts'
import { componentsOf } from './components.ts'
import { v3 } from './dialect.ts'
import type { Described, Operation } from './operations.ts'
import { answerOf, bodyOf, pathsOf, referTo } from './paths.ts'

/** The OpenAPI 3 document of the resources of one group and version. */
export function* v3Document(resources: readonly Described[]): Steps<Fields> {
  const paths = pathsOf(resources, describe, parameter)
  yield
  const schemas = yield* componentsOf(resources, v3)
  const info = resources.some(({ isCustom }) => isCustom)
    ? CUSTOM
    : { title: 'Kubernetes', version }
  return { openapi: '3.0.0', info, paths, components: { schemas } }
}

const parameter = (name: string): Fields => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string' },
})

const CUSTOM = { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' }

const PATCH_TYPES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/apply-patch+yaml',
]
const STRATEGIC = 'application/strategic-merge-patch+json'

function describe(operation: Operation): Fields {
  const body = bodyOf(operation)
  return {
    parameters: Object.entries(operation.query).map(([name, type]) => ({
      name,
      in: 'query',
      schema: { type },
    })),
    ...(body !== undefined && { requestBody: { content: contentOf(operation, body) } }),
    responses: {
      200: {
        description: 'OK',
        content: { 'application/json': { schema: referTo(answerOf(operation), v3) } },
      },
    },
  }
}

function contentOf({ sends, gvk }: Operation, body: string): Fields {
  // Only of built-in kinds is it known how lists are merged.
  const isBuiltin = definitionOfKind(gvk.group, gvk.version, gvk.kind) !== undefined
  const types = sends === 'patch' ? [...PATCH_TYPES, ...(isBuiltin ? [STRATEGIC] : [])] : ['*/*']
  return Object.fromEntries(types.map((type) => [type, { schema: referTo(body, v3) }]))
}
