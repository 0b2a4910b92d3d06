import { type ClientRequest, request as httpRequest } from 'node:http'
import { Agent, type AgentOptions, request as httpsRequest, type RequestOptions } from 'node:https'
import { isIPv6 } from 'node:net'
import { type Connected, refuse, type SharedTls } from './shared-tls.ts'

// A proxy that takes the connection and says nothing would hold it for ever.
const CONNECT_WITHIN_MS = 15_000

/** Makes its connections through a proxy, which sees where they go and nothing of what is in them. */
export class TunnelAgent extends Agent {
  readonly #proxy: URL
  readonly #tls: SharedTls
  /** What the proxy was asked and has not answered. */
  readonly #asked = new Set<ClientRequest>()

  constructor(proxy: URL, tls: SharedTls, options: AgentOptions) {
    super(options)
    this.#proxy = proxy
    this.#tls = tls
  }

  override createConnection({ host, port }: RequestOptions, callback?: Connected): undefined {
    const target = `${isIPv6(host ?? '') ? `[${host}]` : host}:${port}`
    const fail = (reason: string, cause?: Error) => {
      const words = `the proxy ${this.#proxy.host} did not connect: ${reason}`
      refuse(callback, new Error(words, { cause }))
    }
    const { protocol, hostname, port: proxyPort } = this.#proxy
    const ask = protocol === 'https:' ? httpsRequest : httpRequest
    const asking = ask({
      method: 'CONNECT',
      host: hostname.replace(/^\[|\]$/g, ''),
      port: proxyPort || (protocol === 'https:' ? 443 : 80),
      path: target,
      headers: this.#headers(target),
      timeout: CONNECT_WITHIN_MS,
    })
    this.#asked.add(asking)
    asking
      .once('close', () => this.#asked.delete(asking))
      .once('timeout', () => asking.destroy(new Error(`nothing for ${CONNECT_WITHIN_MS / 1e3} s`)))
      .once('connect', ({ statusCode }, socket) => {
        asking.setTimeout(0)
        if (statusCode !== 200) {
          socket.destroy()
          return fail(`it answered ${statusCode}`)
        }
        this.#tls.hand(socket, host ?? '', callback)
      })
      .once('error', (error) => fail(error.message, error))
      .end()
    return undefined
  }

  override destroy(): void {
    for (const asking of this.#asked) asking.destroy(new Error('it is no longer needed'))
    super.destroy()
  }

  #headers(host: string): Record<string, string> {
    const { username, password } = this.#proxy
    const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    return {
      host,
      ...(username && { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` }),
    }
  }
}
