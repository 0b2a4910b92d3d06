import { version } from '#apiserver/builtin/generated/kinds.ts'
import type { Fields } from '#apiserver/objects.ts'
import { componentsOf } from './components.ts'
import { v2 } from './dialect.ts'
import type { Described, Operation } from './operations.ts'
import { answerOf, bodyOf, pathsOf, referTo } from './paths.ts'

/** The OpenAPI 2 document of everything that is served, for clients that know no other. */
export const v2Document = (resources: readonly Described[]): Fields => ({
  swagger: '2.0',
  info: { title: 'Kubernetes', version },
  paths: pathsOf(resources, describe, (name) => ({
    name,
    in: 'path',
    required: true,
    type: 'string',
  })),
  definitions: componentsOf(resources, v2),
})

function describe(operation: Operation): Fields {
  const body = bodyOf(operation)
  return {
    parameters: [
      ...(body === undefined ? [] : [{ name: 'body', in: 'body', schema: referTo(body, v2) }]),
      ...Object.entries(operation.query).map(([name, type]) => ({ name, in: 'query', type })),
    ],
    responses: { 200: { description: 'OK', schema: referTo(answerOf(operation), v2) } },
  }
}
