import { BlockList, isIP } from 'node:net'

type Env = Record<string, string | undefined>

/** A proxy that somebody wrote down. `who` begins the sentence of the error, which never shows it. */
export function parseProxy(text: string, who: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  const why = url?.protocol.startsWith('socks') ? 'SOCKS is not supported' : 'this is another'
  throw new Error(`${who} of the form http://host:port or https://…: ${why}`)
}

/**
 * The proxy that the environment wants between us and a server: HTTPS_PROXY, unless the server is this
 * very machine or NO_PROXY names it. Reads both as kubectl does, in capitals or not.
 */
export function proxyFromEnvironment(server: URL, env: Env): URL | undefined {
  const proxy = env.HTTPS_PROXY || env.https_proxy
  if (!proxy) return undefined
  const target = {
    host: bare(server.hostname).replace(/\.$/, ''),
    port: server.port || '443',
  }
  if (isLoopback(target.host)) return undefined
  const exceptions = (env.NO_PROXY || env.no_proxy || '').toLowerCase().split(',')
  if (exceptions.some((exception) => covers(exception.trim(), target))) return undefined
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy)
  return parseProxy(hasScheme ? proxy : `http://${proxy}`, 'the environment needs an HTTPS_PROXY')
}

interface Target {
  host: string
  port: string
}

/** Whether an entry of NO_PROXY is meant for the target: `*`, a CIDR, an address, a name, a domain. */
function covers(exception: string, { host, port }: Target): boolean {
  if (exception === '') return false
  if (exception === '*') return true
  const subnet = subnetOf(exception)
  if (subnet) return contains(subnet, host)
  const { name, onlyPort } = split(exception)
  if (onlyPort !== undefined && onlyPort !== port) return false
  if (isIP(name)) return contains(addressOf(name), host)
  // `example.org` is itself and all below it; `.example.org` and `*.example.org` are what is below.
  const domain = name.replace(/^\*?\./, '')
  return host.endsWith(`.${domain}`) || (domain === name && host === domain)
}

/** `host:port` in its parts; an IPv6 address has brackets if a port follows. */
function split(exception: string): { name: string; onlyPort?: string } {
  const [, host, port] = /^(\[.*\]|[^:]*):(\d+)$/.exec(exception) ?? []
  if (host === undefined || port === undefined) return { name: bare(exception) }
  return { name: bare(host), onlyPort: port }
}

function subnetOf(text: string): BlockList | undefined {
  const [, address = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  const family = isIP(address)
  if (!family || Number(length) > (family === 6 ? 128 : 32)) return undefined
  const subnet = new BlockList()
  subnet.addSubnet(address, Number(length), familyOf(address))
  return subnet
}

function addressOf(address: string): BlockList {
  const single = new BlockList()
  single.addAddress(address, familyOf(address))
  return single
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

const isLoopback = (host: string): boolean => host === 'localhost' || contains(LOOPBACK, host)

// Compared as addresses, because there is more than one way to write one.
const contains = (list: BlockList, host: string): boolean =>
  isIP(host) !== 0 && list.check(host, familyOf(host))

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

const bare = (host: string): string => host.replace(/^\[|\]$/g, '')
