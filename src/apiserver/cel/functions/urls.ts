import {
  EvaluationError,
  Extension,
  noSuchOverload,
  PlainList,
  PlainMap,
  type Value,
} from '#apiserver/cel/values.ts'
import { type CelFunction, text } from './argument.ts'

interface Parts {
  scheme: string
  host: string
  path: string
  query: string
}

class Url extends Extension {
  readonly typeName = 'kubernetes.URL'
  readonly text: string
  readonly parts: Parts

  constructor(value: string, parts: Parts) {
    super()
    this.text = value
    this.parts = parts
  }

  equals(other: Extension): boolean {
    return other instanceof Url && other.text === this.text
  }
}

/** The parts of an absolute URL or of an absolute path; undefined for anything else. */
export function parseUrl(value: string): Parts | undefined {
  if (value === '*') return { scheme: '', host: '', path: '*', query: '' }
  if (value === '' || UNUSABLE.test(value)) return undefined
  const [whole = '', given = ''] = /^(?:([A-Za-z][\w+.-]*):)?/.exec(value) ?? []
  const [beforeFragment = ''] = value.slice(whole.length).split('#')
  const mark = beforeFragment.indexOf('?')
  const query = mark < 0 ? '' : beforeFragment.slice(mark + 1)
  const rest = mark < 0 ? beforeFragment : beforeFragment.slice(0, mark)
  return located({ scheme: given.toLowerCase(), query }, rest)
}

/** Control characters, no scheme before the colon, or a fragment right behind the host. */
const UNUSABLE = /\p{Cc}|^:|^[^/?]*\/\/[^/?]*#/u

function located(parts: Pick<Parts, 'scheme' | 'query'>, rest: string): Parts | undefined {
  const { scheme } = parts
  if (!rest.startsWith('/')) return scheme === '' ? undefined : { ...parts, host: '', path: '' }
  if (scheme === '' || !rest.startsWith('//')) return withPath({ ...parts, host: '' }, rest)
  const slash = rest.indexOf('/', 2)
  const host = hostOf(rest.slice(2, slash < 0 ? undefined : slash))
  if (host === undefined) return undefined
  return withPath({ ...parts, host }, slash < 0 ? '' : rest.slice(slash))
}

function withPath(parts: Omit<Parts, 'path'>, path: string): Parts | undefined {
  return /%(?![\da-fA-F]{2})/.test(path) ? undefined : { ...parts, path: escapedPath(path) }
}

/** Characters that a path cannot have are written with `%`; others stay as they are. */
const escapedPath = (path: string): string =>
  /^[\w\-.~!$&'()*+,;=:@/%[\]]*$/.test(path)
    ? path
    : path.replace(/[^\w\-.~!$&'()*+,;=:@/%]/gu, (character) => encodeURIComponent(character))

function hostOf(authority: string): string | undefined {
  const at = authority.lastIndexOf('@')
  const user = at < 0 ? '' : authority.slice(0, at)
  const host = authority.slice(at + 1)
  if (!/^[\w\-.~!$&'()*+,;=:@%]*$/.test(user)) return undefined
  if (host.startsWith('[')) return /^\[[^\]]*\](?::\d*)?$/.test(host) ? host : undefined
  if (/[\s<>"{}|\\^`%]/.test(host)) return undefined
  return /^[^:]*(?::\d*)?$/.test(host) ? host : undefined
}

function urlOf(value: string): Url {
  const parts = parseUrl(value)
  if (parts !== undefined) return new Url(value, parts)
  const why = value === '' ? 'empty url' : 'invalid URI for request'
  throw new EvaluationError(
    `URL parse error during conversion from string: parse ${JSON.stringify(value)}: ${why}`,
  )
}

function url(value: Value | undefined): Url {
  if (!(value instanceof Url)) throw noSuchOverload()
  return value
}

const hostname = (host: string): string => {
  const inBrackets = /^\[([^\]]*)\]/.exec(host)?.[1]
  return inBrackets ?? host.replace(/:\d*$/, '')
}

function queryOf(query: string): Value {
  const entries = new Map<string, [Value, string[]]>()
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue
    const [key = '', ...rest] = pair.split('=')
    const name = decoded(key)
    const value = decoded(rest.join('='))
    if (name === undefined || value === undefined) continue
    const entry = entries.get(`s${name}`)
    if (entry === undefined) entries.set(`s${name}`, [name, [value]])
    else entry[1].push(value)
  }
  return new PlainMap(
    new Map([...entries].map(([key, [name, values]]) => [key, [name, new PlainList(values)]])),
  )
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

export const URLS: Readonly<Record<string, CelFunction>> = {
  url: ([value]) => urlOf(text(value)),
  isURL: ([value]) => parseUrl(text(value)) !== undefined,
  getScheme: ([value]) => url(value).parts.scheme,
  getHost: ([value]) => url(value).parts.host,
  getHostname: ([value]) => hostname(url(value).parts.host),
  getPort: ([value]) => /:(\d*)$/.exec(url(value).parts.host)?.[1] ?? '',
  getEscapedPath: ([value]) => url(value).parts.path,
  getQuery: ([value]) => queryOf(url(value).parts.query),
}
