import { AGGREGATED, aggregatedCore, aggregatedGroups } from '#apiserver/discovery/aggregated.ts'
import {
  coreVersions,
  groupDocument,
  groupList,
  resourceList,
} from '#apiserver/discovery/legacy.ts'
import { versionDocument } from '#apiserver/discovery/version.ts'
import type { Fields } from '#apiserver/objects.ts'
import type { Resource } from '#apiserver/resource.ts'
import type { ServedKinds } from '#apiserver/served-kinds.ts'
import { type Answer, failureAnswer } from './answer.ts'
import { noSuchResource } from './call.ts'
import { clausesOf, formFor, notAcceptable } from './media-type.ts'

/** A request to a path that names no resource. */
interface DocumentRequest {
  method: string
  path: string
  query: URLSearchParams
  accept: string
}

/** What is served there; undefined where there is nothing. */
export type Documents = (asked: DocumentRequest) => Answer | undefined

interface DocumentSources {
  kinds: ServedKinds
  /** How others reach this API: host and port. */
  serverAddress: string
  /** Documents at fixed paths. */
  fixed: Readonly<Record<string, () => Answer>>
  /** Everything below `/openapi`. */
  openapi: Documents
}

/** Discovery, OpenAPI, version and health. Made when first asked for, and again when the kinds change. */
export function documentsOf(sources: DocumentSources): Documents {
  const { kinds, fixed, openapi, serverAddress } = sources
  const discovery = cachedDiscovery(kinds, serverAddress)
  return (asked) => {
    const { path, method } = asked
    if (method !== 'GET' && method !== 'HEAD') return undefined
    const known = fixed[path]
    if (known) return known()
    return path.startsWith('/openapi/') ? openapi(asked) : discovery(asked)
  }
}

function cachedDiscovery(kinds: ServedKinds, serverAddress: string): Documents {
  let cached = new Map<string, Answer | undefined>()
  let cachedFor: readonly Resource[] | undefined
  return ({ path, accept }) => {
    if (cachedFor !== kinds.all) {
      cached = new Map()
      cachedFor = kinds.all
    }
    const isAggregated = wantsAggregated(accept)
    if (!isAggregated && !formFor(accept)) return failureAnswer(notAcceptable(true, false))
    const key = `${path} ${isAggregated}`
    if (!cached.has(key) && cached.size < MOST_CACHED) {
      cached.set(key, discoveryAt(path, { all: kinds.all, serverAddress, isAggregated }))
    }
    return cached.get(key) ?? missing(path, kinds.all)
  }
}

/** A version that a built-in group does not have is told of otherwise than a group that is not there. */
function missing(path: string, all: readonly Resource[]): Answer | undefined {
  const [, root, group = ''] = path.split('/')
  const isBuiltin = (name: string) => all.some((one) => !one.isCustom && one.group === name)
  const isBelow = root === 'api' ? group !== '' : path.split('/').length > 3 && isBuiltin(group)
  return (root === 'api' || root === 'apis') && isBelow
    ? failureAnswer(noSuchResource())
    : undefined
}

const MOST_CACHED = 1000

interface Discovery {
  all: readonly Resource[]
  serverAddress: string
  isAggregated: boolean
}

function discoveryAt(
  path: string,
  { all, serverAddress, isAggregated }: Discovery,
): Answer | undefined {
  const [root, group = '', version, ...more] = path.replace(/\/$/, '').split('/').slice(1)
  const isDeep = more.length > 0 || (root === 'api' && version !== undefined)
  if (isDeep || path.includes('//')) return undefined
  if (root === 'api') return coreDiscovery(all, { version: group, serverAddress, isAggregated })
  if (root !== 'apis') return undefined
  if (group === '') return isAggregated ? aggregated(aggregatedGroups(all)) : plain(groupList(all))
  return plain(
    version === undefined ? groupDocument(all, group) : resourceList(all, group, version),
  )
}

function coreDiscovery(
  all: readonly Resource[],
  { version, serverAddress, isAggregated }: Omit<Discovery, 'all'> & { version: string },
): Answer | undefined {
  if (version !== '') return plain(resourceList(all, '', version))
  return isAggregated ? aggregated(aggregatedCore(all)) : plain(coreVersions(all, serverAddress))
}

const plain = (body: Fields | undefined): Answer | undefined =>
  body && { code: 200, body: encoded(body) }

const aggregated = (body: Fields): Answer => ({
  code: 200,
  body: encoded(body),
  contentType: AGGREGATED,
})

/** As bytes: a document is made once and sent often. */
const encoded = (body: Fields): Buffer => Buffer.from(JSON.stringify(body))

/** Clients name the form that they like best first. */
function wantsAggregated(accept: string): boolean {
  const [best] = clausesOf(accept)
  return best?.parameters.get('as') === 'APIGroupDiscoveryList' && best.parameters.get('v') === 'v2'
}

/** Whether the API works, in the words that probes know. */
export function healthAnswers(): Readonly<Record<string, () => Answer>> {
  const ok = (): Answer => ({ code: 200, body: 'ok' })
  const probes = ['/healthz', '/livez', '/readyz'].flatMap((path) => [path, `${path}/ping`])
  return {
    ...Object.fromEntries(probes.map((path) => [path, ok])),
    '/version': () => ({ code: 200, body: versionDocument() }),
  }
}
