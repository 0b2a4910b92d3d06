import { quote } from '#machineconfig/quote.ts'
import { Refusal } from '#machineconfig/read/refusal.ts'
import { authorityProblem } from './url-authority.ts'

/** An address as Go's `url.Parse` takes and prints it. What it quotes leaves out a password. */
export function readUrl(text: string): string | Refusal {
  const [, beforeFragment = '', fragment = ''] = /^([^#]*)(?:#(.*))?$/s.exec(text) ?? []
  const read = readWithoutFragment(beforeFragment)
  if (read instanceof Refusal) return read
  const problem = escapeProblem(fragment)
  if (problem) return refusalOf(text, problem)
  return fragment === '' ? read : `${read}#${escaped(fragment, FRAGMENT)}`
}

function readWithoutFragment(text: string): string | Refusal {
  if (/[^ -~\u0080-\uffff]/.test(text)) {
    return refusalOf(text, 'net/url: invalid control character in URL')
  }
  const [scheme, rest] = splitScheme(text)
  if (rest === undefined) return refusalOf(text, scheme)
  const [, path = '', query] = /^([^?]*)(?:\?(.*))?$/s.exec(rest) ?? []
  const written = pathProblem(scheme, path) ?? writtenPath(scheme, path)
  if (written instanceof Refusal) return refusalOf(text, written.why)
  return (scheme === '' ? '' : `${scheme}:`) + written + (query === undefined ? '' : `?${query}`)
}

const refusalOf = (text: string, why: string): Refusal =>
  new Refusal(`parse ${quote(withoutUser(text))}: ${why}`)

/** The text without who asks and the password: what is wrong may be shown. */
export const withoutUser = (text: string): string => text.replace(/\/\/[^/?#]*@/, '//…@')

/** The scheme in lower case and what comes after its colon; or what is wrong. */
function splitScheme(text: string): [string, string?] {
  const [, scheme, rest = ''] = /^([^:/?#[\]@!$&'()*,;=%\s]*):(.*)$/s.exec(text) ?? []
  if (scheme === '') return ['missing protocol scheme']
  if (scheme === undefined || !/^[a-zA-Z][a-zA-Z0-9+.-]*$/.test(scheme)) return ['', text]
  return [scheme.toLowerCase(), rest]
}

function pathProblem(scheme: string, path: string): Refusal | undefined {
  if (path.startsWith('/') || scheme !== '') return
  const colon = path.indexOf(':')
  const slash = path.indexOf('/')
  const early = colon >= 0 && (slash < 0 || colon < slash)
  return early ? new Refusal('first path segment in URL cannot contain colon') : undefined
}

function writtenPath(scheme: string, path: string): string | Refusal {
  if (scheme !== '' && !path.startsWith('/')) return path
  if (!path.startsWith('//') || (scheme === '' && path.startsWith('///')))
    return writtenOrRefused(path)
  const [, authority = '', rest = ''] = /^\/\/([^/]*)(.*)$/s.exec(path) ?? []
  const problem = authorityProblem(scheme, authority)
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
  return bad ? `invalid URL escape ${quote(bad[0])}` : undefined
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
