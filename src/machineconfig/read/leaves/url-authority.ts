import { quote } from '#machineconfig/quote.ts'
import { Refusal } from '#machineconfig/read/refusal.ts'
import { readAddress } from './address.ts'

const USER = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/
// Only what is no ASCII may be escaped in a host, and the sign of a zone; in a zone also what needs not be.
const BAD_IN_HOST = /%(?!25|[89a-f][0-9a-f])|[^a-z0-9\-_.~!$&'()*+,;=:[\]<>"%\u0080-\u{10ffff}]/iu
const BAD_IN_ZONE =
  /%(?!2[0-24-9a-e]|3[0-9a-e]|[46][1-9a-f]|5[0-9abdf]|7[0-9ae])|[^a-z0-9\-_.~!$&'()*+,;=:[\]<>"%\u0080-\u{10ffff}]/iu

/** What Go's `net/url` has against the part of a URL with user, host and port. */
export function authorityProblem(scheme: string, authority: string): string | undefined {
  const at = authority.lastIndexOf('@')
  const user = authority.slice(0, Math.max(at, 0))
  const problem = hostProblem(scheme, authority.slice(at + 1))
  if (problem) return problem
  if (!USER.test(user)) return 'net/url: invalid userinfo'
  const [bad] = /%(?![0-9a-fA-F]{2}).{0,2}/s.exec(user) ?? []
  return bad === undefined ? undefined : `invalid URL escape ${quote(bad)}`
}

function hostProblem(scheme: string, host: string): string | undefined {
  const bracket = host.lastIndexOf('[')
  if (bracket > 0) return 'invalid IP-literal'
  if (bracket === 0) return literalProblem(host)
  const isWeb = scheme === 'http' || scheme === 'https'
  const colon = isWeb ? host.indexOf(':') : host.lastIndexOf(':')
  return portProblem(colon < 0 ? '' : host.slice(colon)) ?? charProblem(host, BAD_IN_HOST)
}

function literalProblem(host: string): string | undefined {
  const end = host.lastIndexOf(']')
  if (end < 0) return "missing ']' in host"
  const address = host.slice(1, end)
  const zone = address.indexOf('%25')
  const plain = zone < 0 ? address : address.slice(0, zone)
  return (
    portProblem(host.slice(end + 1)) ??
    charProblem(plain, BAD_IN_HOST) ??
    (zone < 0 ? undefined : charProblem(address.slice(zone), BAD_IN_ZONE)) ??
    addressProblem(unescaped(address))
  )
}

const portProblem = (port: string): string | undefined =>
  /^(:\d*)?$/.test(port) ? undefined : `invalid port ${quote(port)} after host`

function charProblem(text: string, bad: RegExp): string | undefined {
  const { 0: char, index = 0 } = bad.exec(text) ?? {}
  if (char === undefined) return undefined
  if (char === '%') return `invalid URL escape ${quote(text.slice(index, index + 3))}`
  return `invalid character ${quote(char)} in host name`
}

const unescaped = (text: string): string =>
  text.replace(/(?:%[0-9a-fA-F]{2})+/g, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString(),
  )

function addressProblem(text: string): string | undefined {
  const read = readAddress(text)
  if (read instanceof Refusal) return `invalid host: ${read.why}`
  if (read === '') return 'invalid host: ParseAddr(""): unable to parse IP'
  return read.includes(':') ? undefined : 'invalid IP-literal'
}
