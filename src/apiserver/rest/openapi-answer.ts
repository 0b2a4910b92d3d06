import { type OpenApiDocument, V2_PROTOBUF } from '#apiserver/openapi/documents.ts'
import type { Answer } from './answer.ts'
import type { DocumentRequest } from './documents.ts'
import { clausesOf } from './media-type.ts'

/** In which a document is sent. */
export type OpenApiForm = 'json' | 'protobuf'

type Offers = readonly (readonly [mediaType: string, form: OpenApiForm])[]

const V3_OFFERS: Offers = [['application/json', 'json']]
const V2_OFFERS: Offers = [...V3_OFFERS, ...V2_PROTOBUF.map((type) => [type, 'protobuf'] as const)]

/** The form that the client likes best, of those that a version of OpenAPI has here; none if it takes none. */
export function openapiFormFor(accept: string, version: 'v2' | 'v3'): OpenApiForm | undefined {
  const offers = version === 'v2' ? V2_OFFERS : V3_OFFERS
  const wanted = clausesOf(accept || '*/*').toSorted((one, other) => weight(other) - weight(one))
  for (const { type } of wanted) {
    const found = offers.find(([offered]) => isTaken(offered, type))
    if (found) return found[1]
  }
  return undefined
}

function weight({ parameters }: ReturnType<typeof clausesOf>[number]): number {
  const stated = Number(parameters.get('q') ?? 1)
  return Number.isFinite(stated) ? stated : 1
}

function isTaken(offered: string, wanted: string): boolean {
  const parts = offered.split('/')
  const patterns = wanted.split('/')
  return (
    patterns.length === 2 && patterns.every((one, index) => one === '*' || one === parts[index])
  )
}

/** Nothing that the client takes. */
export const notTaken: Answer = { code: 406, body: '', headers: { vary: 'Accept' } }

/** What a client has already is not sent again, and what it finds by its hash it may keep for good. */
export function openapiAnswer(
  { body, contentType, etag }: OpenApiDocument,
  asked: DocumentRequest,
  now: Date,
): Answer {
  const headers = { etag: `"${etag}"`, vary: 'Accept' }
  const hash = asked.path.startsWith('/openapi/v3/') ? asked.query.get('hash') : ''
  if (hash && hash !== etag) {
    const location = `${asked.path}?hash=${etag}`
    return { code: 301, body: '', contentType, headers: { ...headers, location } }
  }
  const kept = hash ? { ...headers, ...FOR_GOOD, expires: aYearAfter(now) } : headers
  if (isKnown(etag, asked)) return { code: 304, body: '', headers: kept }
  return { code: 200, body, contentType, headers: kept }
}

const FOR_GOOD = { 'cache-control': 'public, immutable' }

function aYearAfter(now: Date): string {
  const then = new Date(now)
  then.setUTCFullYear(then.getUTCFullYear() + 1)
  return then.toUTCString()
}

/** Whether the client says that it has this document. */
const isKnown = (etag: string, { method, ifNoneMatch = '' }: DocumentRequest): boolean =>
  ['GET', 'HEAD'].includes(method) &&
  ifNoneMatch
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''))
    .some((one) => one === '*' || one === `"${etag}"`)
