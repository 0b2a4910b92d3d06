import { Refusal } from '#machineconfig/read/refusal.ts'

/** An address as Go's `url.Parse` takes and prints it. What it quotes leaves out a password. */
export function readUrl(text: string): string | Refusal {
  const refuse = (why: string): Refusal =>
    new Refusal(`parse ${JSON.stringify(hidden(text))}: ${why}`)
  if (/[^ -~\u0080-\uffff]/.test(text)) return refuse('net/url: invalid control character in URL')
  const [, beforeFragment = '', fragment] = /^([^#]*)(?:#(.*))?$/s.exec(text) ?? []
  const [scheme, rest] = splitScheme(beforeFragment)
  if (rest === undefined) return refuse(scheme)
  const [, path = '', query] = /^([^?]*)(?:\?(.*))?$/s.exec(rest) ?? []
  const problem = pathProblem(scheme, path) ?? escapeProblem(fragment ?? '')
  if (problem) return refuse(problem)
  const written = writtenPath(scheme, path)
  if (written instanceof Refusal) return refuse(written.why)
  const head = scheme === '' ? '' : `${scheme}:`
  return (
    head +
    written +
    (query === undefined ? '' : `?${query}`) +
    (fragment ? `#${escaped(fragment, FRAGMENT)}` : '')
  )
}

const hidden = (text: string): string => text.replace(/\/\/[^/?#]*@/, '//…@')

/** The scheme in lower case and what comes after its colon; or what is wrong. */
function splitScheme(text: string): [string, string?] {
  const [, scheme, rest = ''] = /^([^:/?#[\]@!$&'()*,;=%\s]*):(.*)$/s.exec(text) ?? []
  if (scheme === '') return ['missing protocol scheme']
  if (scheme === undefined || !/^[a-zA-Z][a-zA-Z0-9+.-]*$/.test(scheme)) return ['', text]
  return [scheme.toLowerCase(), rest]
}

function pathProblem(scheme: string, path: string): string | undefined {
  if (path.startsWith('/')) return
  const opaque = scheme !== ''
  if (opaque) return
  const colon = path.indexOf(':')
  const slash = path.indexOf('/')
  const early = colon >= 0 && (slash < 0 || colon < slash)
  return early ? 'first path segment in URL cannot contain colon' : undefined
}

function writtenPath(scheme: string, path: string): string | Refusal {
  if (scheme !== '' && !path.startsWith('/')) return path
  if (!path.startsWith('//') || (scheme === '' && path.startsWith('///')))
    return writtenOrRefused(path)
  const [, authority = '', rest = ''] = /^\/\/([^/]*)(.*)$/s.exec(path) ?? []
  const problem = authorityProblem(authority)
  if (problem) return new Refusal(problem)
  const tail = writtenOrRefused(rest)
  return tail instanceof Refusal ? tail : `//${authority}${tail}`
}

function writtenOrRefused(path: string): string | Refusal {
  const problem = escapeProblem(path)
  return problem ? new Refusal(problem) : escaped(path, PATH)
}

function escapeProblem(text: string): string | undefined {
  const bad = /%(?![0-9a-fA-F]{2}).{0,2}/s.exec(text)
  return bad ? `invalid URL escape ${JSON.stringify(bad[0])}` : undefined
}

// What Go leaves as it is when it writes a path or a fragment.
const PATH = /[^A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]%]/gu
const FRAGMENT = /[^A-Za-z0-9\-_.~$&+,/:;=?@!'()*%]/gu

const escaped = (text: string, odd: RegExp): string =>
  text.replace(odd, (letter) =>
    [...Buffer.from(letter)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  )

function authorityProblem(authority: string): string | undefined {
  const at = authority.lastIndexOf('@')
  const user = at === -1 ? '' : authority.slice(0, at)
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) return 'net/url: invalid userinfo'
  const host = authority.slice(at + 1)
  return host.startsWith('[') ? sixProblem(host) : hostProblem(host)
}

function sixProblem(host: string): string | undefined {
  const end = host.lastIndexOf(']')
  if (end === -1) return "missing ']' in host"
  const port = host.slice(end + 1)
  return isPort(port) ? undefined : `invalid port ${JSON.stringify(port)} after host`
}

function hostProblem(host: string): string | undefined {
  const colon = host.lastIndexOf(':')
  const port = colon === -1 ? '' : host.slice(colon)
  if (!isPort(port)) return `invalid port ${JSON.stringify(port)} after host`
  const bad = /%(?![0-9a-fA-F]{2}).{0,2}/s.exec(host)
  if (bad) return `invalid URL escape ${JSON.stringify(bad[0])}`
  const [odd] = /[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"%\u0080-\u{10ffff}]/u.exec(host) ?? []
  return odd === undefined ? undefined : `invalid character ${JSON.stringify(odd)} in host name`
}

const isPort = (port: string): boolean => port === '' || /^:[0-9]*$/.test(port)
