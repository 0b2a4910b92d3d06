import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { addressText, type BindAddress, isSameAddress } from '#base/address.ts'
import type { Log } from '#base/log.ts'
import { messageOf } from '#base/operator-error.ts'

export interface Answer {
  status: number
  /** Plain text if left out. */
  contentType?: string
  body: string
}

/** Answers for one path. What it throws is logged, and answered with a 500 that does not repeat it. */
export type Route = (query: URLSearchParams) => Answer | Promise<Answer>

/** Some paths at an address. Sites at the same address share a server. */
export interface Site {
  /** What is served, for messages: `probes`. */
  what: string
  address: BindAddress | 'off'
  /** Where the address comes from, so that whoever has to change it knows how. */
  setting: string
  routes: Readonly<Record<string, Route>>
}

/** Servers that answer until they are disposed of, which also ends what is under way. */
export interface HttpServers extends AsyncDisposable {
  /** Where a site is: `http://127.0.0.1:8080`. Undefined for one that is off. */
  urlOf(what: string): string | undefined
}

// Whoever asks is a kubelet or a Prometheus: they ask for little, quickly, and not all at once.
const LIMITS = {
  maxHeaderSize: 8 * 1024,
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
}
const LONGEST_SILENCE_MS = 15_000
const MOST_CONNECTIONS = 100

/** Serves all sites, or none: where one cannot be served, the error says why and what to do. */
export async function serveSites(sites: readonly Site[], log: Log): Promise<HttpServers> {
  const servers: SiteServer[] = []
  const close = async () => {
    await Promise.all(servers.map((server) => server.close()))
  }
  try {
    for (const together of byAddress(sites)) servers.push(await SiteServer.start(together, log))
  } catch (error) {
    await close()
    throw error
  }
  return {
    urlOf: (what) => servers.find((server) => server.serves(what))?.url,
    [Symbol.asyncDispose]: close,
  }
}

/** Sites that are served, with the address that all of them have. */
interface Group {
  address: BindAddress
  sites: Site[]
}

function byAddress(sites: readonly Site[]): Group[] {
  const groups: Group[] = []
  for (const site of sites) {
    const { address } = site
    if (address === 'off') continue
    const known = groups.find((group) => isSameAddress(group.address, address))
    if (known) known.sites.push(site)
    else groups.push({ address, sites: [site] })
  }
  return groups
}

class SiteServer {
  readonly #group: Group
  readonly #log: Log
  readonly #server: Server

  private constructor(group: Group, log: Log) {
    this.#group = group
    this.#log = log
    this.#server = createServer(LIMITS, (request, response) => {
      this.#serve(request, response).catch(() => response.destroy())
    })
    this.#server.maxConnections = MOST_CONNECTIONS
    this.#server.setTimeout(LONGEST_SILENCE_MS)
  }

  static async start(group: Group, log: Log): Promise<SiteServer> {
    const started = new SiteServer(group, log)
    const server = started.#server
    try {
      await once(server.listen(group.address), 'listening')
    } catch (error) {
      throw cannotListen(group, error)
    }
    server.on('error', (error) => log.warn('server troubled', { address: started.url, error }))
    return started
  }

  serves(what: string): boolean {
    return this.#group.sites.some((site) => site.what === what)
  }

  get url(): string {
    const { host = 'localhost', port } = this.#group.address
    const bound = this.#server.address()
    const actual = typeof bound === 'object' && bound ? bound.port : port
    return `http://${addressText({ host, port: actual })}`
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, contentType = PLAIN_TEXT, body } = await this.#answer(request)
    response.writeHead(status, {
      'content-type': contentType,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      // What else was sent is not worth reading.
      ...(status === METHOD_NOT_ALLOWED && { allow: 'GET, HEAD', connection: 'close' }),
    })
    // Node leaves the body out where the request is a HEAD.
    response.end(body)
  }

  async #answer({ method = '', url = '' }: IncomingMessage): Promise<Answer> {
    const [path = '', query] = url.split('?', 2)
    const site = this.#group.sites.find(({ routes }) => Object.hasOwn(routes, path))
    const route = site?.routes[path]
    if (!route) return { status: 404, body: `There is nothing here. Try ${this.#paths()}.\n` }
    if (!['GET', 'HEAD'].includes(method)) {
      return {
        status: METHOD_NOT_ALLOWED,
        body: 'This can be read, and nothing else: GET or HEAD.\n',
      }
    }
    try {
      return await route(new URLSearchParams(query))
    } catch (error) {
      this.#log.error('request failed', { path, error })
      return { status: 500, body: 'This did not work. The log says why.\n' }
    }
  }

  #paths(): string {
    return this.#group.sites.flatMap(({ routes }) => Object.keys(routes)).join(', ')
  }
}

const PLAIN_TEXT = 'text/plain; charset=utf-8'
const METHOD_NOT_ALLOWED = 405

const REASONS: Record<string, string> = {
  EADDRINUSE: 'another program listens there; stop it, or choose another address',
  EACCES: 'this user may not; choose a port above 1023',
  EADDRNOTAVAIL: 'this machine has no such address; choose one of its own, or leave out the host',
  ENOTFOUND: 'that host name is not known; use an address, or leave out the host',
  EAFNOSUPPORT: 'this machine has no IPv6; use an IPv4 address',
}

function cannotListen({ address, sites }: Group, error: unknown): Error {
  const what = sites.map((site) => site.what).join(' and ')
  const settings = sites.map(({ setting }) => setting).join(' and ')
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const why = REASONS[code] ?? messageOf(error)
  return new Error(`cannot serve ${what} on ${addressText(address)}: ${why} (${settings})`, {
    cause: error,
  })
}
