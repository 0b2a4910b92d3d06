import { version } from '#apiserver/builtin/generated/kinds.ts'
import type { Fields } from '#apiserver/objects.ts'
import type { Steps } from '#apiserver/steps.ts'
import { componentsOf } from './components.ts'
import { v2 } from './dialect.ts'
import type { Described, Operation } from './operations.ts'
import { answerOf, bodyOf, pathsOf, referTo } from './paths.ts'

/** The OpenAPI 2 document of everything that is served, for clients that know no other. */
export function* v2Document(resources: readonly Described[]): Steps<Fields> {
  const paths: Fields = {}
  for (let from = 0; from < resources.length; from += AT_ONCE) {
    Object.assign(paths, pathsOf(resources.slice(from, from + AT_ONCE), describe, parameter))
    yield
  }
  const definitions = yield* componentsOf(resources, v2)
  return { swagger: '2.0', info: { title: 'Kubernetes', version }, paths, definitions }
}

// Describing so many takes a few milliseconds the first time.
const AT_ONCE = 5

const parameter = (name: string): Fields => ({ name, in: 'path', required: true, type: 'string' })

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
