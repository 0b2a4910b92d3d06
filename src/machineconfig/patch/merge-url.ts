import { MergeProblem } from './merge-problem.ts'

/** Two URLs as Talos merges them: part by part, what the second one lacks stays as in the first. */
export function mergeUrls(left: string, right: string): string {
  const [a, b] = [partsOf(left), partsOf(right)]
  if (a.user && b.user) {
    throw new MergeProblem('merge not possible, left value is not settable')
  }
  return urlOf({
    scheme: b.scheme || a.scheme,
    opaque: b.opaque || a.opaque,
    user: b.user || a.user,
    host: b.host || a.host,
    path: b.path || a.path,
    omitHost: b.omitHost,
    forceQuery: b.forceQuery,
    query: b.query || a.query,
    fragment: b.fragment || a.fragment,
  })
}

interface Parts {
  readonly scheme: string
  /** What comes after the scheme if it does not begin with a slash. */
  readonly opaque: string
  /** With its `@`. */
  readonly user: string
  readonly host: string
  readonly path: string
  /** `file:/x`, as opposed to `file:///x`. */
  readonly omitHost: boolean
  /** A question mark with nothing behind it. */
  readonly forceQuery: boolean
  readonly query: string
  readonly fragment: string
}

const URL_PARTS =
  /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*@)?([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s

function partsOf(url: string): Parts {
  const match = URL_PARTS.exec(url) ?? []
  const [, scheme = '', user = '', host, path = '', query, fragment = ''] = match
  const opaque = scheme !== '' && host === undefined && !path.startsWith('/')
  return {
    scheme,
    opaque: opaque ? path : '',
    user,
    host: host ?? '',
    path: opaque ? '' : path,
    omitHost: scheme !== '' && host === undefined && path.startsWith('/'),
    forceQuery: query === '',
    query: query ?? '',
    fragment,
  }
}

function urlOf(parts: Parts): string {
  const scheme = parts.scheme && `${parts.scheme}:`
  const query = parts.forceQuery || parts.query ? `?${parts.query}` : ''
  const fragment = parts.fragment && `#${parts.fragment}`
  return `${scheme}${parts.opaque || hierarchyOf(parts)}${query}${fragment}`
}

function hierarchyOf({ scheme, user, host, path, omitHost }: Parts): string {
  const authority = `${user}${host}`
  const rooted = path && host && !path.startsWith('/') ? `/${path}` : path
  if (scheme === '' && authority === '') return rooted
  if (authority === '' && (omitHost || path === '')) return rooted
  return `//${authority}${rooted}`
}
