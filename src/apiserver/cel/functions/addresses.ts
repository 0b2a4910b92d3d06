import { isIPv4, isIPv6 } from 'node:net'
import { EvaluationError, Extension, noSuchOverload, type Value } from '#apiserver/cel/values.ts'
import { type CelFunction, text } from './argument.ts'

/** An address as a number. */
class Ip extends Extension {
  readonly typeName = 'net.IP'
  readonly bits: 32 | 128
  readonly value: bigint
  override readonly size: number

  constructor(value: bigint, bits: 32 | 128) {
    super()
    this.value = value
    this.bits = bits
    this.size = bits / 8
  }

  equals(other: Extension): boolean {
    return other instanceof Ip && other.bits === this.bits && other.value === this.value
  }

  override toString(): string {
    return this.bits === 32 ? v4Text(this.value) : v6Text(this.value)
  }

  /** Whether it begins with the same bits as another address. */
  shares(other: Ip, prefix: number): boolean {
    const rest = BigInt(this.bits - prefix)
    return this.bits === other.bits && this.value >> rest === other.value >> rest
  }
}

/** A network; the bits behind its prefix are kept. */
class Cidr extends Extension {
  readonly typeName = 'net.CIDR'
  readonly ip: Ip
  readonly prefix: number
  override readonly size: number

  constructor(ip: Ip, prefix: number) {
    super()
    this.ip = ip
    this.prefix = prefix
    this.size = Math.ceil(prefix / 8)
  }

  equals(other: Extension): boolean {
    return other instanceof Cidr && other.prefix === this.prefix && other.ip.equals(this.ip)
  }

  override toString(): string {
    return `${this.ip}/${this.prefix}`
  }

  get masked(): Cidr {
    const rest = BigInt(this.ip.bits - this.prefix)
    return new Cidr(new Ip((this.ip.value >> rest) << rest, this.ip.bits), this.prefix)
  }
}

const v4Text = (value: bigint): string =>
  [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.')

function v6Text(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, i) => (value >> BigInt(112 - 16 * i)) & 0xffffn)
  const text = groups.map((group) => group.toString(16)).join(':')
  const zeros = [...text.matchAll(/(?:^|:)0(?::0)+(?=:|$)/g)].map(([run]) => run)
  const longest = zeros.toSorted((a, b) => b.split('0').length - a.split('0').length)[0]
  if (longest === undefined) return text
  const at = text.indexOf(longest)
  return `${text.slice(0, at)}::${text.slice(at + longest.length).replace(/^:/, '')}`
}

const v4Value = (value: string): bigint =>
  value.split('.').reduce((sum, part) => (sum << 8n) + BigInt(part), 0n)

function v6Value(value: string): bigint {
  const tail = /[\d.]+$/.exec(value)?.[0] ?? ''
  const plain = tail.includes('.')
    ? `${value.slice(0, -tail.length)}${(v4Value(tail) >> 16n).toString(16)}:${(v4Value(tail) & 0xffffn).toString(16)}`
    : value
  const [head = '', rest] = plain.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = rest === undefined || rest === '' ? [] : rest.split(':')
  const zeros = new Array<string>(8 - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after].reduce(
    (sum, group) => (sum << 16n) + BigInt(`0x${group}`),
    0n,
  )
}

/** Undefined for a text that is no address, or one of those that Kubernetes refuses. */
function parseIp(value: string): Ip | undefined {
  if (isIPv4(value)) return new Ip(v4Value(value), 32)
  if (!isIPv6(value) || value.includes('%')) return undefined
  const address = v6Value(value)
  return address >> 32n === 0xffffn ? undefined : new Ip(address, 128)
}

function ipOf(value: string): Ip {
  const ip = parseIp(value)
  if (ip !== undefined) return ip
  const shown = JSON.stringify(value)
  if (isIPv6(value) && !value.includes('%')) {
    throw new EvaluationError(`IPv4-mapped IPv6 address ${shown} is not allowed`)
  }
  if (isIPv6(value)) {
    throw new EvaluationError(`IP address ${shown} with zone value is not allowed`)
  }
  const why = `ParseAddr(${shown}): unable to parse IP`
  throw new EvaluationError(`IP Address ${shown} parse error during conversion from string: ${why}`)
}

function parseCidr(value: string): Cidr | undefined {
  const slash = value.lastIndexOf('/')
  const ip = slash < 0 ? undefined : parseIp(value.slice(0, slash))
  const prefix = value.slice(slash + 1)
  if (ip === undefined || !/^(?:0|[1-9]\d*)$/.test(prefix) || Number(prefix) > ip.bits) {
    return undefined
  }
  return new Cidr(ip, Number(prefix))
}

function cidrOf(value: string): Cidr {
  const cidr = parseCidr(value)
  if (cidr !== undefined) return cidr
  const problem = 'network address parse error during conversion from string: '
  const why = `netip.ParsePrefix(${JSON.stringify(value)}): no '/'`
  throw new EvaluationError(`${problem}${problem}${why}`)
}

function ip(value: Value | undefined): Ip {
  if (!(value instanceof Ip)) throw noSuchOverload()
  return value
}

function cidr(value: Value | undefined): Cidr {
  if (!(value instanceof Cidr)) throw noSuchOverload()
  return value
}

function containsCidr(outer: Cidr, inner: Cidr): boolean {
  return outer.prefix <= inner.prefix && outer.ip.shares(inner.ip, outer.prefix)
}

const isWithin =
  (...networks: readonly string[]): CelFunction =>
  ([value]) => {
    const address = ip(value)
    return networks.some((one) => {
      const network = cidrOf(one)
      return network.ip.shares(address, network.prefix)
    })
  }

const isLoopback = isWithin('127.0.0.0/8', '::1/128')
const isUnspecified = isWithin('0.0.0.0/32', '::/128')
const isMulticast = isWithin('224.0.0.0/4', 'ff00::/8')
const isLinkLocalUnicast = isWithin('169.254.0.0/16', 'fe80::/10')
const isBroadcast = isWithin('255.255.255.255/32')
const isNotGlobal = [isLoopback, isUnspecified, isMulticast, isLinkLocalUnicast, isBroadcast]

export const ADDRESSES: Readonly<Record<string, CelFunction>> = {
  ip: ([value]) => (value instanceof Cidr ? value.ip : ipOf(text(value))),
  isIP: ([value]) => parseIp(text(value)) !== undefined,
  'ip.isCanonical': ([value]) => String(ipOf(text(value))) === value,
  family: ([value]) => (ip(value).bits === 32 ? 4n : 6n),
  isUnspecified,
  isLoopback,
  isLinkLocalMulticast: isWithin('224.0.0.0/24', 'ff02::/16'),
  isLinkLocalUnicast,
  isGlobalUnicast: (args) => isNotGlobal.every((test) => test(args) === false),
  cidr: ([value]) => cidrOf(text(value)),
  isCIDR: ([value]) => parseCidr(text(value)) !== undefined,
  containsIP: ([value, other]) => {
    const network = cidr(value)
    const address = ip(typeof other === 'string' ? parseIp(other) : other)
    return network.ip.shares(address, network.prefix)
  },
  containsCIDR: ([value, other]) =>
    containsCidr(cidr(value), cidr(typeof other === 'string' ? parseCidr(other) : other)),
  prefixLength: ([value]) => BigInt(cidr(value).prefix),
  masked: ([value]) => cidr(value).masked,
}
