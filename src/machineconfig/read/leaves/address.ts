import { quote } from '#machineconfig/quote.ts'
import { Refusal } from '#machineconfig/read/refusal.ts'
import { parseIPv4 } from './ipv4.ts'
import { formatIPv6, parseIPv6 } from './ipv6.ts'

/** An address as Go's netip prints it; the empty text is one that is not set. */
export const readAddress = (text: string): string | Refusal => {
  if (text === '') return ''
  const address = parseAddress(text)
  return address instanceof Refusal ? address : address.text
}

/** A prefix such as `10.0.0.0/8`; bits beyond its length stay. */
export function readPrefix(text: string): string | Refusal {
  if (text === '') return ''
  const refuse = (why: string): Refusal => new Refusal(`netip.ParsePrefix(${quote(text)}): ${why}`)
  const slash = text.lastIndexOf('/')
  if (slash === -1) return refuse("no '/'")
  const address = parseAddress(text.slice(0, slash))
  if (address instanceof Refusal) return refuse(address.why)
  if (address.zoned) return refuse('IPv6 zones cannot be present in a prefix')
  const bits = text.slice(slash + 1)
  if (!/^(?:0|[1-9][0-9]*)$/.test(bits)) {
    return refuse(`bad bits after slash: ${quote(bits)}`)
  }
  if (Number(bits) > (address.six ? 128 : 32)) return refuse('prefix length out of range')
  return `${address.text}/${bits}`
}

/** An address with a port: `10.0.0.1:53`, `[::1]:53`. */
export function readAddressPort(text: string): string | Refusal {
  if (text === '') return ''
  const colon = text.lastIndexOf(':')
  const [host, port] = [text.slice(0, Math.max(colon, 0)), text.slice(colon + 1)]
  const problem = colon === -1 ? 'not an ip:port' : splitProblem(host, port)
  if (problem) return new Refusal(problem)
  if (!/^[0-9]+$/.test(port) || Number(port) > HIGHEST_PORT) {
    return new Refusal(`invalid port ${quote(port)} parsing ${quote(text)}`)
  }
  const bracketed = host.startsWith('[')
  const address = parseAddress(bracketed ? host.slice(1, -1) : host)
  if (address instanceof Refusal) return address
  if (address.six === bracketed) {
    return `${bracketed ? `[${address.text}]` : address.text}:${Number(port)}`
  }
  const why = bracketed
    ? 'square brackets can only be used with IPv6 addresses'
    : 'IPv6 addresses must be surrounded by square brackets'
  return new Refusal(`invalid ip:port ${quote(text)}, ${why}`)
}

const HIGHEST_PORT = 65_535

function splitProblem(host: string, port: string): string | undefined {
  if (host === '') return 'no IP'
  if (port === '') return 'no port'
  return host.startsWith('[') && (host.length < 2 || !host.endsWith(']')) ? 'missing ]' : undefined
}

interface Address {
  readonly text: string
  readonly six: boolean
  readonly zoned: boolean
}

function parseAddress(text: string): Address | Refusal {
  const refuse = (why: string): Refusal => new Refusal(`ParseAddr(${quote(text)}): ${why}`)
  const [sign] = /[.:%]/.exec(text) ?? []
  if (sign === undefined) return refuse('unable to parse IP')
  if (sign === '%') return refuse('missing IPv6 address')
  if (sign === '.') {
    const bytes = parseIPv4(text)
    return bytes instanceof Refusal ? refuse(bytes.why) : { text, six: false, zoned: false }
  }
  const percent = text.indexOf('%')
  if (percent !== -1 && percent === text.length - 1)
    return refuse('zone must be a non-empty string')
  const zone = percent === -1 ? '' : text.slice(percent)
  const groups = parseIPv6(percent === -1 ? text : text.slice(0, percent))
  if (groups instanceof Refusal) return refuse(groups.why)
  return { text: formatIPv6(groups) + zone, six: true, zoned: zone !== '' }
}
