import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { toYaml } from '#base/yaml.ts'
import { type Credentials, createAuthority } from '#test/conformance/kubernetes/certificates.ts'
import { connect, type Send } from '#test/conformance/kubernetes/https-json.ts'
import { type Answer, answerTo } from './answers.ts'
import { Failure } from './failure.ts'
import { Faults } from './faults.ts'
import { type Fields, fieldsAt, timestamp } from './objects.ts'
import {
  defaultResources,
  discoveryOf,
  namespaces,
  type ServedResource,
  targetOf,
} from './resources.ts'
import { Store } from './store.ts'
import { Watches } from './watches.ts'

const LARGEST_BODY_BYTES = 3 * 1024 * 1024

export interface SmallApiOptions {
  /** What is served besides the default resources. */
  resources?: readonly ServedResource[]
  /** How many changes are remembered for watches and pages. */
  historyLimit?: number
}

interface LoggedRequest {
  method: string
  /** With its query. */
  path: string
  /** Milliseconds since the epoch. */
  when: number
}

/**
 * An API that answers like Kubernetes for a fixed set of resources, in this process, until the
 * embedded one exists. It checks no schemas, collects no garbage, and lets everyone do everything.
 */
export interface SmallApi extends AsyncDisposable {
  url: string
  /** PEM. */
  ca: string
  admin: Credentials
  /** A kubeconfig file for an administrator. */
  kubeconfig: string
  /** Calls the API as an administrator. */
  send: Send
  /** The bearer tokens that are good right now. */
  tokens: Set<string>
  faults: Faults
  /** Every request so far, those that were refused too. */
  log: readonly LoggedRequest[]
  /** How many watches are open. */
  readonly watchers: number
  /** Sends a bookmark on each watch that asked for them. */
  bookmark(): void
}

export async function startSmallApi(options: SmallApiOptions = {}): Promise<SmallApi> {
  const authority = await createAuthority()
  const ca = authority.certificate
  const server = await authority.issueServer('localhost')
  const admin = await authority.issueClient('admin', 'system:masters')
  const site = new Site(options, { ca, ...server })
  const url = await site.listen(true)
  const folder = await mkdtemp(join(tmpdir(), 'talos-operator-small-api-'))
  const kubeconfig = join(folder, 'kubeconfig')
  await writeFile(kubeconfig, kubeconfigFor(url, ca, admin), { mode: 0o600 })
  return {
    ...{ url, ca, admin, kubeconfig },
    send: connect(url, ca, admin),
    tokens: site.tokens,
    faults: site.faults,
    log: site.log,
    get watchers() {
      return site.watches.open.size
    },
    bookmark: () => site.watches.bookmark(),
    [Symbol.asyncDispose]: async () => {
      await site.listen(false)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The server, with all that it knows. */
class Site {
  readonly tokens = new Set<string>()
  readonly log: LoggedRequest[] = []
  readonly store: Store
  readonly watches: Watches
  readonly faults: Faults
  readonly #resources: readonly ServedResource[]
  readonly #discovery: ReadonlyMap<string, Fields>
  readonly #server: Server
  #port = 0

  constructor(options: SmallApiOptions, tls: Credentials & { ca: string }) {
    this.#resources = [...defaultResources, ...(options.resources ?? [])]
    this.#discovery = discoveryOf(this.#resources)
    this.store = new Store(options.historyLimit ?? 1000)
    this.watches = new Watches(this.store)
    this.faults = new Faults({
      store: this.store,
      watches: this.watches,
      listen: (on) => this.listen(on),
    })
    for (const name of ['default', 'kube-system']) {
      const metadata = { name, uid: randomUUID(), creationTimestamp: timestamp() }
      this.store.put(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata })
    }
    this.store.compact()
    this.#server = createServer(
      {
        ca: tls.ca,
        cert: tls.certificate,
        key: tls.key,
        requestCert: true,
        // Who shows no certificate may have a token.
        rejectUnauthorized: false,
        // A client must not find a connection closed that it was about to use again.
        keepAliveTimeout: 0,
      },
      (request, response) => void this.#serve(request, response),
    )
  }

  /** Opens or closes the port, which stays the same. Resolves to the URL. */
  async listen(on: boolean): Promise<string> {
    if (on && !this.#server.listening) {
      this.#server.listen(this.#port, '127.0.0.1')
      await once(this.#server, 'listening')
      const address = this.#server.address()
      this.#port = typeof address === 'object' && address ? address.port : 0
    }
    if (!on && this.#server.listening) {
      this.#server.close()
      this.#server.closeAllConnections()
      await once(this.#server, 'close')
    }
    return `https://127.0.0.1:${this.#port}`
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '' } = request
    this.log.push({ method, path, when: Date.now() })
    const { socket } = request
    // Node breaks a connection some time after a certificate whose signature was wrong.
    if (
      socket instanceof TLSSocket &&
      `${socket.authorizationError}` === 'CERT_SIGNATURE_FAILURE'
    ) {
      response.shouldKeepAlive = false
    }
    try {
      await this.faults.before(method, path)
      // Who gave up waiting is not served behind his back.
      if (response.destroyed) return
      const answer = await this.#answer(request, response)
      if (method !== 'GET' && answer && this.faults.takeHangUp()) response.destroy()
      else if (answer) reply(response, answer)
    } catch (error) {
      const { code, status } =
        error instanceof Failure
          ? error
          : new Failure(500, `Internal error: ${error instanceof Error ? error.stack : error}`)
      reply(response, { code, body: status })
    }
  }

  /** What to answer; nothing, if a watch took over. */
  async #answer(request: IncomingMessage, response: ServerResponse): Promise<Answer | undefined> {
    const { method = '', url = '', headers } = request
    const { pathname, searchParams: query } = new URL(url, 'https://localhost')
    const isProbe = /^\/(readyz|livez|healthz)$/.test(pathname)
    const said = isProbe ? 'ok' : this.faults.textFor(method, url)
    if (said !== undefined) return { code: 200, body: said }
    if (pathname !== '/version' && !this.#isKnown(request)) throw new Failure(401, 'Unauthorized')
    const target = targetOf(this.#resources, pathname)
    if (!target) return this.#discover(pathname)
    const isWatch = /^(true|1)$/.test(query.get('watch') ?? '')
    if (isWatch && !target.name) return this.watches.start(target, query, response)
    const body = await textOf(request)
    const [contentType = ''] = (headers['content-type'] ?? '').split(';')
    const userAgent = headers['user-agent'] ?? ''
    return answerTo({ method, target, query, contentType, userAgent, body }, this.store)
  }

  #isKnown({ socket, headers }: IncomingMessage): boolean {
    const [, token = ''] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? []
    // A resumed TLS session counts as authorized even if it never had a certificate.
    const hasCertificate =
      socket instanceof TLSSocket && socket.authorized && !!socket.getPeerX509Certificate()
    return hasCertificate || this.tokens.has(token)
  }

  #discover(path: string): Answer {
    const document = this.#discovery.get(path)
    if (document) return { code: 200, body: document }
    const isVersion = ([known, { kind }]: [string, Fields]) =>
      kind === 'APIResourceList' && path.startsWith(`${known}/`)
    if (![...this.#discovery].some(isVersion)) return { code: 404, body: '404 page not found\n' }
    throw new Failure(404, 'the server could not find the requested resource', { details: {} })
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  let length = 0
  for await (const chunk of request.setEncoding('utf8')) {
    length += chunk.length
    // The rest is read too: the client hears the refusal only after it has said everything.
    if (length <= LARGEST_BODY_BYTES) text += chunk
  }
  if (length <= LARGEST_BODY_BYTES) return text
  throw new Failure(413, `Request entity too large: limit is ${LARGEST_BODY_BYTES}`)
}

function reply(response: ServerResponse, { code, body }: Answer): void {
  // A watch that broke while it was begun has nothing left to say.
  if (response.headersSent) return void response.destroy()
  const isText = typeof body === 'string'
  const { retryAfterSeconds } = isText ? {} : fieldsAt(body, 'details')
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', String(retryAfterSeconds))
  response.setHeader('content-type', isText ? 'text/plain; charset=utf-8' : 'application/json')
  response.writeHead(code).end(isText ? body : JSON.stringify(body))
}

function kubeconfigFor(url: string, ca: string, admin: Credentials): string {
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  const name = 'test'
  return toYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server: url, 'certificate-authority-data': encoded(ca) } }],
    users: [
      {
        name,
        user: {
          'client-certificate-data': encoded(admin.certificate),
          'client-key-data': encoded(admin.key),
        },
      },
    ],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  })
}
