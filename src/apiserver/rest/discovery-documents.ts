import { createHash } from 'node:crypto'
import { AGGREGATED, aggregatedCore, aggregatedGroups } from '#apiserver/discovery/aggregated.ts'
import {
  coreVersions,
  groupDocument,
  groupList,
  resourceList,
} from '#apiserver/discovery/legacy.ts'
import type { Fields } from '#apiserver/objects.ts'
import type { Resource } from '#apiserver/resource.ts'
import type { ServedKinds } from '#apiserver/served-kinds.ts'
import { type Answer, failureAnswer } from './answer.ts'
import { noSuchResource } from './call.ts'
import { type DocumentRequest, type Documents, onlyRead } from './documents.ts'
import { clausesOf, formFor, notAcceptable, takesSpoken } from './media-type.ts'

// By the kinds that they tell of: APIs that serve the same share them.
const made = new WeakMap<readonly Resource[], Map<string, Answer>>()

/** What kinds there are. Made when first asked for, and again when the kinds change. */
export function discoveryOf(kinds: ServedKinds, serverAddress: string): Documents {
  return (asked) => {
    const all = kinds.described
    const cached = made.get(all) ?? new Map<string, Answer>()
    made.set(all, cached)
    const { path } = asked
    const isAggregated = wantsAggregated(asked)
    const key = `${serverAddress} ${path} ${isAggregated}`
    const document = cached.get(key) ?? discoveryAt(path, { all, serverAddress, isAggregated })
    if (!document) return missing(path, all)
    // Only what there is: anyone can ask for any number of paths where there is nothing.
    cached.set(key, document)
    if (isAggregated) return unlessKnown(asked, document)
    return isBuiltinVersion(path, all)
      ? (onlyRead(asked) ?? inForm(asked, document, true))
      : inForm(asked, document, false)
  }
}

/** The lists of groups that Kubernetes gathers are answered to all methods; those that one program makes are not. */
function isBuiltinVersion(path: string, all: readonly Resource[]): boolean {
  const [root, group = '', version = ''] = path.split('/').slice(1)
  if (root === 'api') return true
  return version !== '' && all.some((one) => !one.isCustom && one.group === group)
}

/** A document has one form, in each syntax that is spoken here. */
function inForm({ accept }: DocumentRequest, document: Answer, isBuiltin: boolean): Answer {
  if (formFor(accept)?.as === 'object') return document
  return failureAnswer(notAcceptable(!isBuiltin || takesSpoken(accept), false))
}

/** Whoever has the document already is told so. */
function unlessKnown({ ifNoneMatch }: DocumentRequest, document: Answer): Answer {
  const { headers = {} } = document
  const isKnown = headers.etag === ifNoneMatch && ifNoneMatch !== undefined
  return isKnown ? { code: 304, body: '', headers } : document
}

/** A version that a built-in group does not have is told of otherwise than a group that is not there. */
function missing(path: string, all: readonly Resource[]): Answer | undefined {
  const [, root, group = '', ...more] = path.split('/')
  const isBelow =
    root === 'api' ||
    (root === 'apis' &&
      group !== '' &&
      more.length > 0 &&
      all.some((one) => !one.isCustom && one.group === group))
  return isBelow ? failureAnswer(noSuchResource()) : undefined
}

interface Discovery {
  all: readonly Resource[]
  serverAddress: string
  isAggregated: boolean
}

function discoveryAt(
  path: string,
  { all, serverAddress, isAggregated }: Discovery,
): Answer | undefined {
  if (isAggregated) return aggregated(path === '/api' ? aggregatedCore(all) : aggregatedGroups(all))
  const [root, group = '', version, ...more] = path.replace(/\/$/, '').split('/').slice(1)
  if (path.includes('//') || more.length > 0) return undefined
  if (root === 'api' && version === undefined) {
    return plain(group === '' ? coreVersions(all, serverAddress) : resourceList(all, '', group))
  }
  if (root !== 'apis') return undefined
  if (group === '') return plain(groupList(all))
  return plain(
    version === undefined ? groupDocument(all, group) : resourceList(all, group, version),
  )
}

const plain = (body: Fields | undefined): Answer | undefined =>
  body && { code: 200, body: encoded(body) }

function aggregated(body: Fields): Answer {
  const bytes = encoded(body)
  const hash = createHash('sha512').update(bytes).digest('hex').toUpperCase()
  const headers = { 'cache-control': 'public', etag: `"${hash}"`, vary: 'Accept' }
  return { code: 200, body: bytes, contentType: AGGREGATED, headers }
}

/** As bytes: a document is made once and sent often. */
const encoded = (body: Fields): Buffer => Buffer.from(`${JSON.stringify(body)}\n`)

/** Clients name the form that they like best first. */
function wantsAggregated({ path, accept }: DocumentRequest): boolean {
  if (path !== '/api' && path !== '/apis') return false
  const [best] = clausesOf(accept)
  return best?.parameters.get('as') === 'APIGroupDiscoveryList' && best.parameters.get('v') === 'v2'
}
