import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type Agent, request as httpsRequest } from 'node:https'
import { forwardAbort } from '#base/deadline.ts'
import type { ApiAccess, CarriedRequest, Carry, Credentials, Response } from './access.ts'
import { DirectAgent } from './direct-agent.ts'
import { SharedTls } from './shared-tls.ts'
import { TunnelAgent } from './tunnel-agent.ts'
import { OF_ANOTHER_AUTHORITY } from './untrusted-codes.ts'

// Well below the idle time after which load balancers forget a connection.
const KEEP_ALIVE_MS = 15_000
// A burst of calls leaves many behind, of which one or two are used again. One in use is not idle, however silent.
const IDLE_MS = 10_000

export interface Request {
  method: string
  /** Path and query, below the server's own path. */
  path: string
  headers?: Record<string, string>
  body?: string
  signal: AbortSignal
  /** Told that the credentials were refused, before it is tried with new ones. */
  onRefused?: (status: number) => void
}

export type { Response } from './access.ts'

/** What makes one connection different from another. */
interface Trust {
  ca: string | undefined
  certificate: string | undefined
}

/**
 * Sends requests to one API server over kept connections, with TLS verified and the credentials of
 * the moment. Rejects only when there is no answer. Knows nothing of Kubernetes' objects.
 */
export class Transport {
  readonly #access: ApiAccess
  #current: { agent: Agent; trust: Trust } | undefined
  /** Those of certificates that are gone, while a watch still goes through them. */
  #retired: Agent[] = []
  readonly #closing = new AbortController()

  constructor(access: ApiAccess) {
    this.#access = access
  }

  /** Sends one request. A refusal of the credentials makes it read them anew and ask once more. */
  async send(request: Request): Promise<Response> {
    const first = await this.#sendVerified(request, false)
    if (first.status !== 401) return first
    // Read to its end, the answer leaves its connection free for the next request.
    first.body.resume()
    request.onRefused?.(first.status)
    return this.#sendVerified(request, true)
  }

  /** Ends the kept connections, and those in use. */
  close(): void {
    this.#closing.abort(new Error('the connection to the API server is closed'))
    for (const agent of [this.#current?.agent, ...this.#retired]) agent?.destroy()
  }

  /** A server that the CA does not vouch for may have a new one, which is then looked for. */
  async #sendVerified(request: Request, renew: boolean): Promise<Response> {
    const { signal } = request
    const credentials = await this.#access.credentials({ renew, signal })
    const ca = await this.#access.authority?.({ renew: false, signal })
    try {
      return await this.#sendWith({ credentials, ca }, request)
    } catch (error) {
      if (!UNTRUSTED.has(codeOf(error))) throw error
      const newer = await this.#access.authority?.({ renew: true, signal }).catch(() => ca)
      if (newer === ca) throw error
      return this.#sendWith({ credentials, ca: newer }, request)
    }
  }

  #sendWith(
    { credentials, ca }: { credentials: Credentials; ca: string | undefined },
    { method, path, body, headers, signal }: Request,
  ): Promise<Response> {
    const { carry } = this.#access
    const request = {
      ...{ method, signal, credentials, url: this.#url(path) },
      headers: { ...headers, ...this.#headersOf(credentials), ...lengthOf(body) },
      ...(body !== undefined && { body }),
      ...(ca !== undefined && { authority: ca }),
    }
    return carry ? this.#carried(request, carry) : this.#overTls(request)
  }

  async #overTls(request: CarriedRequest): Promise<Response> {
    this.#closing.signal.throwIfAborted()
    const { method, url, headers, body, signal, authority, credentials } = request
    const agent = this.#agentFor(credentials, authority)
    const outgoing = httpsRequest(url, { method, signal, agent, headers })
    // Once the answer has begun, what happens to the connection is told by its body.
    outgoing.on('error', () => {})
    outgoing.end(body)
    try {
      const [incoming]: IncomingMessage[] = await once(outgoing, 'response', { signal })
      if (!incoming) throw new Error('the API server closed the connection')
      return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: incoming }
    } catch (error) {
      // The other end closed a kept connection while we took it up; there are only so many of them.
      const isStale = outgoing.reusedSocket && RESET.has(codeOf(error))
      if (method === 'GET' && isStale) return this.#overTls(request)
      throw error
    }
  }

  /** What is under way when this is closed ends with it. */
  async #carried(request: CarriedRequest, carry: Carry): Promise<Response> {
    this.#closing.signal.throwIfAborted()
    const until = new AbortController()
    const unlink = [request.signal, this.#closing.signal].map((from) => forwardAbort(from, until))
    const leave = () => {
      for (const cancel of unlink) cancel()
    }
    try {
      const response = await carry({ ...request, signal: until.signal })
      response.body.once('close', leave)
      return response
    } catch (error) {
      leave()
      throw error
    }
  }

  #url(path: string): URL {
    const { server } = this.#access
    return new URL(`${server.pathname.replace(/\/$/, '')}${path}`, server)
  }

  #headersOf({ token }: Credentials): Record<string, string | string[]> {
    const { impersonate } = this.#access
    return {
      ...(token && { authorization: `Bearer ${token.open()}` }),
      ...(impersonate && {
        'impersonate-user': impersonate.user,
        'impersonate-group': impersonate.groups,
      }),
    }
  }

  /** Connections belong to a CA and a client certificate: with others they have to be made anew. */
  #agentFor({ certificate: client }: Credentials, ca: string | undefined): Agent {
    const trust = { ca, certificate: client?.certificate }
    if (this.#current && isSame(this.#current.trust, trust)) return this.#current.agent
    const { serverName, skipVerify, proxy, isOneOfMany = false } = this.#access
    const tls = new SharedTls({
      ...{ rejectUnauthorized: !skipVerify, isSmall: isOneOfMany },
      ...(ca && { ca }),
      ...(serverName && { servername: serverName }),
      ...(client && { cert: client.certificate, key: client.key.open() }),
    })
    const before = this.#current ? [this.#current.agent] : []
    for (const agent of before) retire(agent)
    const isInUse = ({ sockets }: Agent) => Object.keys(sockets).length > 0
    this.#retired = [...this.#retired, ...before].filter(isInUse)
    const kept = { keepAlive: true, keepAliveMsecs: KEEP_ALIVE_MS, timeout: IDLE_MS }
    const agent = proxy ? new TunnelAgent(proxy, tls, kept) : new DirectAgent(tls, kept)
    this.#current = { agent, trust }
    return agent
  }
}

const isSame = (one: Trust, other: Trust): boolean =>
  one.ca === other.ca && one.certificate === other.certificate

/** Ends its idle connections; those in use end with what they are used for. */
function retire(agent: Agent): void {
  agent.maxFreeSockets = 0
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy()
  }
}

const lengthOf = (body: string | undefined): Record<string, string> =>
  body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }

// A hang-up has the code of a reset.
const RESET = new Set(['ECONNRESET', 'EPIPE'])

// Also one that has ended: the CA may have been replaced with it.
const UNTRUSTED: ReadonlySet<string> = new Set([...OF_ANOTHER_AUTHORITY, 'CERT_HAS_EXPIRED'])

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''
