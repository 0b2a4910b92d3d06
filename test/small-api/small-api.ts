import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { type Credentials, createAuthority } from '#test/conformance/kubernetes/certificates.ts'
import { connect } from '#test/conformance/kubernetes/https-json.ts'
import { kubeconfigFor } from '#test/misbehaving/admin-kubeconfig.ts'
import { Failure } from '#test/misbehaving/failure.ts'
import { Faults } from '#test/misbehaving/faults.ts'
import type { MisbehavingApi } from '#test/misbehaving/front.ts'
import { HttpsPort } from '#test/misbehaving/https-port.ts'
import { type Answer, answerTo } from './answers.ts'
import { type Fields, timestamp } from './objects.ts'
import {
  defaultResources,
  discoveryOf,
  namespaces,
  type ServedResource,
  targetOf,
} from './resources.ts'
import { Store } from './store.ts'
import { type Expiry, Watches } from './watches.ts'

const LARGEST_BODY_BYTES = 3 * 1024 * 1024

export interface SmallApiOptions {
  /** What is served besides the default resources. */
  resources?: readonly ServedResource[]
  /** How many changes are remembered for watches and pages. */
  historyLimit?: number
}

/**
 * An API that answers like Kubernetes for a fixed set of resources, in this process, until the
 * embedded one exists. It checks no schemas, collects no garbage, and lets everyone do everything.
 */
export interface SmallApi extends MisbehavingApi {
  faults: SmallApiFaults
  /** The bearer tokens that are good right now. */
  tokens: Set<string>
  /** Makes a certificate for another administrator. */
  issueAdmin(name: string): Promise<Credentials>
  /** Sends a bookmark on each watch that asked for them. */
  bookmark(): void
}

export async function startSmallApi(options: SmallApiOptions = {}): Promise<SmallApi> {
  const authority = await createAuthority()
  const ca = authority.certificate
  const server = await authority.issueServer('localhost')
  const admin = await authority.issueClient('admin', 'system:masters')
  const site = new Site(options, { ca, ...server })
  const url = await site.port.listen(true)
  const folder = await mkdtemp(join(tmpdir(), 'talos-operator-small-api-'))
  const kubeconfig = join(folder, 'kubeconfig')
  await writeFile(kubeconfig, kubeconfigFor({ server: url, ca, ...admin }), { mode: 0o600 })
  return {
    ...{ url, ca, admin, kubeconfig },
    send: connect(url, ca, admin),
    tokens: site.tokens,
    faults: site.faults,
    log: site.faults.log,
    get watchers() {
      return site.faults.watchers
    },
    issueAdmin: (name) => authority.issueClient(name, 'system:masters'),
    bookmark: () => site.watches.bookmark(),
    [Symbol.asyncDispose]: async () => {
      await site.port.listen(false)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Besides what any server can be made to do wrong, what takes one that is made for it. */
class SmallApiFaults extends Faults {
  readonly #watches: Watches

  constructor(parts: ConstructorParameters<typeof Faults>[0] & { watches: Watches }) {
    super(parts)
    this.#watches = parts.watches
  }

  /** How a watch from a version that is too old is refused; as an ERROR event unless told. */
  refuseWatches(expiry: Partial<Expiry>): void {
    this.#watches.expiry = { ...this.#watches.expiry, ...expiry }
  }
}

/** The server, with all that it knows. */
class Site {
  readonly tokens = new Set<string>()
  readonly store: Store
  readonly watches: Watches
  readonly faults: SmallApiFaults
  readonly port: HttpsPort
  readonly #resources: readonly ServedResource[]
  readonly #discovery: ReadonlyMap<string, Fields>

  constructor(options: SmallApiOptions, tls: Credentials & { ca: string }) {
    this.#resources = [...defaultResources, ...(options.resources ?? [])]
    this.#discovery = discoveryOf(this.#resources)
    this.store = new Store(options.historyLimit ?? 1000)
    this.watches = new Watches(this.store, (response) => this.faults.openWatch(response))
    this.faults = new SmallApiFaults({
      watches: this.watches,
      listen: (on) => this.port.listen(on),
      forget: () => this.store.compact(),
    })
    for (const name of ['default', 'kube-system']) {
      const metadata = { name, uid: randomUUID(), creationTimestamp: timestamp() }
      this.store.put(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata })
    }
    this.store.compact()
    // Who shows no certificate may have a token.
    this.port = new HttpsPort({ ...tls, demandsCertificate: false }, (request, response) => {
      if (isForged(request)) response.shouldKeepAlive = false
      return void this.faults.around(request, response, () => this.#answer(request, response))
    })
  }

  /** What to answer; nothing, if a watch took over. */
  async #answer(request: IncomingMessage, response: ServerResponse): Promise<Answer | undefined> {
    const { method = '', url = '', headers } = request
    const { pathname, searchParams: query } = new URL(url, 'https://localhost')
    const isProbe = /^\/(readyz|livez|healthz)$/.test(pathname)
    if (isProbe) return { code: 200, body: 'ok' }
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

/** Node breaks a connection some time after a certificate whose signature was wrong. */
const isForged = ({ socket }: IncomingMessage): boolean =>
  socket instanceof TLSSocket && `${socket.authorizationError}` === 'CERT_SIGNATURE_FAILURE'

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
