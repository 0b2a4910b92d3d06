import {
  type OpenApiDocument,
  OpenApiDocuments,
  V2_PROTOBUF,
} from '#apiserver/openapi/documents.ts'
import type { Resource } from '#apiserver/resource.ts'
import type { ServedKinds } from '#apiserver/served-kinds.ts'
import type { Answer } from './answer.ts'
import type { Documents } from './documents.ts'

/** Serves what is below `/openapi`, made anew when the kinds change. */
export function openapiOf(kinds: ServedKinds, program: string): Documents {
  let documents: OpenApiDocuments | undefined
  let madeFor: readonly Resource[] | undefined
  return ({ path, accept }) => {
    if (!documents || madeFor !== kinds.all) {
      documents = new OpenApiDocuments(kinds.all, program)
      madeFor = kinds.all
    }
    const document = documentAt(documents, path, accept)
    return document && answer(document)
  }
}

const V3 = '/openapi/v3/'

function documentAt(
  documents: OpenApiDocuments,
  path: string,
  accept: string,
): OpenApiDocument | undefined {
  if (path === '/openapi/v2')
    return documents.v2(accept.includes(V2_PROTOBUF) ? 'protobuf' : 'json')
  if (path === '/openapi/v3') return documents.index()
  return path.startsWith(V3) ? documents.group(path.slice(V3.length)) : undefined
}

const answer = ({ body, contentType, etag }: OpenApiDocument): Answer => ({
  code: 200,
  body,
  contentType,
  headers: { etag: `"${etag}"` },
})
