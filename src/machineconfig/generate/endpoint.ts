import { isIPv6 } from 'node:net'
import { ConfigError } from '#machineconfig/config-error.ts'

const DEFAULT_PORT = 6443
const LARGEST_PORT = 65_535
const SCHEME = /^(?<scheme>[A-Za-z][A-Za-z0-9+.-]*):(?<rest>.*)$/s
const HOST_CHARACTER = /[^A-Za-z0-9._-]/
// What a URL may hold as it is: anything else would have to be written in another way.
const PATH = /^[A-Za-z0-9._~!$&'()*+,;=:@/-]*$/

/** Where a cluster's Kubernetes API is reached. */
export interface Endpoint {
  /** As it stands in the configuration. */
  readonly url: string
  /** Without port and brackets. */
  readonly host: string
}

/** Reads `https://host:6443`. Throws for what `talosctl gen config` refuses, and says it in its words. */
export function readEndpoint(text: string): Endpoint {
  const { scheme, rest = text } = SCHEME.exec(text)?.groups ?? {}
  if (scheme === undefined) throw new ConfigError(withoutScheme(text))
  if (scheme.toLowerCase() !== 'https') {
    throw new ConfigError(
      `the control plane endpoint URL should have scheme https://\ntry: ${suggestion(rest.startsWith('//') ? rest : text)}`,
    )
  }
  const [authority, path] = parts(rest)
  if (authority.includes('@'))
    throw new ConfigError('the cluster endpoint URL must not hold a user')
  const { host, port } = hostAndPort(authority, (why) => unparsable(text, why))
  if (host === '') throw new ConfigError(invalid('hostname must not be blank'))
  checkPort(port)
  if (!PATH.test(path)) throw unparsable(text, 'invalid character in path')
  return { url: `https:${rest}`, host }
}

/** What follows the scheme, as authority and path; a text without authority is all path. */
function parts(rest: string): [authority: string, path: string] {
  if (!rest.startsWith('//')) return ['', rest]
  const end = rest.slice(2).search(/[/?#]/)
  return end < 0 ? [rest.slice(2), ''] : [rest.slice(2, 2 + end), rest.slice(2 + end)]
}

type Refusal = (why: string) => ConfigError

function hostAndPort(authority: string, refused: Refusal): { host: string; port: string } {
  if (authority.startsWith('[')) return bracketed(authority, refused)
  const colon = authority.indexOf(':')
  const host = colon < 0 ? authority : authority.slice(0, colon)
  const [odd] = HOST_CHARACTER.exec(host) ?? []
  if (odd !== undefined) throw refused(`invalid character ${JSON.stringify(odd)} in host name`)
  return { host, port: portOf(colon < 0 ? '' : authority.slice(colon), refused) }
}

function bracketed(authority: string, refused: Refusal): { host: string; port: string } {
  const end = authority.indexOf(']')
  if (end < 0) throw refused("missing ']' in host")
  const host = authority.slice(1, end)
  if (!isIPv6(host) || host.includes('%')) {
    throw refused(`invalid host: ParseAddr(${JSON.stringify(host)}): unable to parse IP`)
  }
  return { host, port: portOf(authority.slice(end + 1), refused) }
}

function portOf(text: string, refused: Refusal): string {
  if (/^(:\d*)?$/.test(text)) return text.slice(1)
  throw refused(`invalid port ${JSON.stringify(text)} after host`)
}

function checkPort(port: string): void {
  if (port !== '' && (Number(port) < 1 || Number(port) > LARGEST_PORT)) {
    throw new ConfigError(invalid(`port number must be between 1 and ${LARGEST_PORT}`))
  }
}

function withoutScheme(text: string): string {
  const what = hasPort(text) ? 'no scheme specified' : 'no scheme and port specified'
  return `${what} for the cluster endpoint URL\ntry: ${suggestion(text)}`
}

function suggestion(text: string): string {
  const authority = text.replace(/^\/\//, '').replace(/[/?#].*$/s, '')
  // Who asks, and with which password, is not for an endpoint, nor for a message.
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  const bare = isIPv6(host) ? `[${host}]` : host
  return JSON.stringify(`https://${bare}${hasPort(bare) ? '' : `:${DEFAULT_PORT}`}`)
}

const hasPort = (authority: string): boolean =>
  !isIPv6(authority) && /:\d+$/.test(authority.replace(/^\/\//, ''))

const invalid = (why: string): string => `error validating the cluster endpoint URL: ${why}`

const unparsable = (text: string, why: string): ConfigError =>
  new ConfigError(`failed to parse the cluster endpoint URL: parse ${JSON.stringify(text)}: ${why}`)
