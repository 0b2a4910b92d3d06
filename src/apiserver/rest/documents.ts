import { groupsOf, groupVersionOf } from '#apiserver/discovery/groups.ts'
import { ApiFailure } from '#apiserver/failure.ts'
import type { ServedKinds } from '#apiserver/served-kinds.ts'
import { type Answer, failureAnswer, prettyJson } from './answer.ts'
import { noSuchResource, verbNotAllowed } from './call.ts'
import { type HealthCheck, healthAt, healthPaths } from './health.ts'
import { clausesOf } from './media-type.ts'

/** A request to a path that names no resource. */
export interface DocumentRequest {
  method: string
  path: string
  query: URLSearchParams
  accept: string
  /** The ETag of what the client has. */
  ifNoneMatch?: string
}

/** What is served there; undefined where there is nothing. */
export type Documents = (asked: DocumentRequest) => Answer | undefined | Promise<Answer | undefined>

interface DocumentSources {
  kinds: ServedKinds
  checks: readonly HealthCheck[]
  /** Documents at fixed paths, each in one form. */
  fixed: Readonly<Record<string, () => Answer>>
  /** Everything below `/openapi`. */
  openapi: Documents
  /** Everything below `/api` and `/apis` that names no resource. */
  discovery: Documents
}

/** Discovery, OpenAPI, version and health. */
export function documentsOf({
  kinds,
  checks,
  fixed,
  openapi,
  discovery,
}: DocumentSources): Documents {
  const paths = [...healthPaths(checks), ...Object.keys(fixed), '/openapi/v2', '/openapi/v3']
  return (asked) => {
    const { path } = asked
    if (path === '/' || path === '/index.html') return indexOf([...paths, ...discoveryPaths(kinds)])
    const known = fixed[path.replace(/\/$/, '')]
    if (known) return onlyRead(asked) ?? inOneForm(asked, known())
    if (path.startsWith('/version/')) return failureAnswer(noSuchResource())
    return healthAt(checks, asked) ?? (path.startsWith('/openapi') ? openapi : discovery)(asked)
  }
}

/** The answer to a request that does more than read. Not even HEAD is taken. */
export const onlyRead = ({ method }: DocumentRequest): Answer | undefined =>
  method === 'GET' ? undefined : failureAnswer(verbNotAllowed())

/** A document of one media type, to those who take it. */
function inOneForm({ accept }: DocumentRequest, document: Answer): Answer {
  const { contentType = 'application/json' } = document
  const taken = [contentType, 'application/*', '*/*']
  if (!accept || clausesOf(accept).some(({ type }) => taken.includes(type))) return document
  const message = `406: Not Acceptable\n\nAvailable representations: ${contentType}`
  return failureAnswer(new ApiFailure(406, message, { reason: 'NotAcceptable', details: {} }))
}

const indexOf = (paths: readonly string[]): Answer => ({
  code: 200,
  body: prettyJson({ paths: paths.toSorted() }),
  contentType: 'application/json',
})

const discoveryPaths = ({ all }: ServedKinds): string[] => [
  '/api',
  '/apis',
  ...groupsOf(all).flatMap(({ name, versions }) => [
    ...(name === '' ? [] : [`/apis/${name}`]),
    ...versions.map(
      ({ version }) => `/${name === '' ? 'api' : 'apis'}/${groupVersionOf(name, version)}`,
    ),
  ]),
]
