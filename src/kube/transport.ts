import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import type { ApiAccess, Credentials } from './access.ts'
import { TunnelAgent } from './tunnel-agent.ts'

// Well below the idle time after which load balancers forget a connection.
const KEEP_ALIVE_MS = 15_000

export interface Request {
  method: string
  /** Path and query, below the server's own path. */
  path: string
  headers?: Record<string, string>
  body?: string
  signal: AbortSignal
}

/** The head of an answer; the body is still to be read, and must be read or destroyed. */
export interface Response {
  status: number
  headers: IncomingMessage['headers']
  body: Readable
}

/**
 * Sends requests to one API server over kept connections, with TLS verified and the credentials of
 * the moment. Rejects only when there is no answer. Knows nothing of Kubernetes' objects.
 */
export class Transport {
  readonly #access: ApiAccess
  #agent: Agent | undefined
  /** Those of client certificates that are gone, while a watch still goes through them. */
  #retired: Agent[] = []
  #agentCertificate: string | undefined
  #isClosed = false

  constructor(access: ApiAccess) {
    this.#access = access
  }

  /** Sends one request. A refusal of the credentials makes it read them anew and ask once more. */
  async send(request: Request): Promise<Response> {
    const first = await this.#sendWith(await this.#credentials(request, false), request)
    if (first.status !== 401) return first
    // Read to its end, the answer leaves its connection free for the next request.
    first.body.resume()
    const renewed = await this.#credentials(request, true)
    return this.#sendWith(renewed, request)
  }

  /** Ends the kept connections, and those in use. */
  close(): void {
    this.#isClosed = true
    for (const agent of [this.#agent, ...this.#retired]) agent?.destroy()
  }

  #credentials({ signal }: Request, renew: boolean): Promise<Credentials> {
    return this.#access.credentials({ renew, signal })
  }

  async #sendWith(credentials: Credentials, request: Request): Promise<Response> {
    if (this.#isClosed) throw new Error('the connection to the API server is closed')
    const { method, path, body, headers, signal } = request
    const outgoing = httpsRequest(this.#url(path), {
      method,
      signal,
      agent: this.#agentFor(credentials),
      headers: { ...headers, ...this.#identity(credentials), ...lengthOf(body) },
    })
    // Once the answer has begun, what happens to the connection is told by its body.
    outgoing.on('error', () => {})
    outgoing.end(body)
    const [incoming]: IncomingMessage[] = await once(outgoing, 'response', { signal })
    if (!incoming) throw new Error('the API server closed the connection')
    return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: incoming }
  }

  #url(path: string): URL {
    const { server } = this.#access
    return new URL(`${server.pathname.replace(/\/$/, '')}${path}`, server)
  }

  #identity({ token }: Credentials): Record<string, string | string[]> {
    const { impersonate } = this.#access
    return {
      ...(token && { authorization: `Bearer ${token.open()}` }),
      ...(impersonate && {
        'impersonate-user': impersonate.user,
        'impersonate-group': impersonate.groups,
      }),
    }
  }

  /** Connections belong to a client certificate: with another one they have to be made anew. */
  #agentFor({ certificate: client }: Credentials): Agent {
    if (this.#agent && this.#agentCertificate === client?.certificate) return this.#agent
    const { ca, serverName, skipVerify, proxy } = this.#access
    const options = {
      keepAlive: true,
      keepAliveMsecs: KEEP_ALIVE_MS,
      rejectUnauthorized: !skipVerify,
      ...(ca && { ca }),
      ...(serverName && { servername: serverName }),
      ...(client && { cert: client.certificate, key: client.key.open() }),
    }
    if (this.#agent) retire(this.#agent)
    const isInUse = ({ sockets }: Agent) => Object.keys(sockets).length > 0
    this.#retired = [...this.#retired, ...(this.#agent ? [this.#agent] : [])].filter(isInUse)
    this.#agent = proxy ? new TunnelAgent(proxy, options) : new Agent(options)
    this.#agentCertificate = client?.certificate
    return this.#agent
  }
}

/** Ends its idle connections; those in use end with what they are used for. */
function retire(agent: Agent): void {
  agent.maxFreeSockets = 0
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy()
  }
}

const lengthOf = (body: string | undefined): Record<string, string> =>
  body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
