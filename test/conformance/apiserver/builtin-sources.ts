import { goTypeOf } from '#apiserver/builtin/go-type.ts'
import { definitionOf, nameOfReference } from '#apiserver/builtin/table.ts'
import { type BuiltinSources, builtinGroups } from '#scripts/generate/builtin-kinds.ts'
import type { DiscoveredGroup } from '#scripts/generate/builtin-resources.ts'
import type { OpenApiSchema } from '#scripts/generate/builtin-shapes.ts'
import type { GoField } from '#scripts/generate/go-structs.ts'
import type { Send } from '#test/conformance/kubernetes/https-json.ts'
import { type FieldsOfDefinition, fieldsFromGo } from './go-sources.ts'

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** Asks a real kube-apiserver for all that the table of built-in kinds is made from. */
export async function builtinSources(send: Send): Promise<BuiltinSources> {
  const schemas: Record<string, OpenApiSchema> = {}
  for (const groupVersion of builtinGroups) {
    const folder = groupVersion.includes('/') ? 'apis' : 'api'
    const document = await read(send, `/openapi/v3/${folder}/${groupVersion}`)
    Object.assign(schemas, (document as OpenApiDocument).components.schemas) // the API's words
  }
  const lists = await Promise.all(['/api', '/apis'].map((path) => read(send, path, AGGREGATED)))
  const { gitVersion } = (await read(send, '/version')) as { gitVersion: string } // the API's words
  return {
    version: gitVersion,
    schemas,
    groups: lists.flatMap((list) => (list as { items: DiscoveredGroup[] }).items), // the API's words
    goFields: (await fieldsFromGo(Object.keys(schemas))) ?? fieldsOfTable,
  }
}

interface OpenApiDocument {
  components: { schemas: Record<string, OpenApiSchema> }
}

async function read(send: Send, path: string, accept = 'application/json'): Promise<unknown> {
  const { status, body } = await send({ method: 'GET', path, accept })
  if (status !== 200) throw new Error(`${path} answered ${status}`)
  return body
}

/** What the table itself remembers of Go, for want of the sources. */
const fieldsOfTable: FieldsOfDefinition = (definition) =>
  new Map(
    definitionOf(definition).fields.map(({ name, shape, embedded }): [string, GoField] => [
      name,
      {
        type: shape.g ?? goTypeOf(shape, nameOfReference),
        isPointer: shape.p === 1,
        omit: shape.w === 1 ? 'never' : 'zero',
        embedded,
      },
    ]),
  )
