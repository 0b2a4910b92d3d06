import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { peerCertificate } from '#base/peer-certificate.ts'
import { type Credentials, createAuthority } from '#test/conformance/kubernetes/certificates.ts'
import { connect, type Send } from '#test/conformance/kubernetes/https-json.ts'
import { type AdminAccess, kubeconfigFor, readKubeconfig } from './admin-kubeconfig.ts'
import { Failure } from './failure.ts'
import { Faults } from './faults.ts'
import { HttpsPort } from './https-port.ts'
import type { Reply } from './reply.ts'

/** An API that can be made to misbehave. */
export interface MisbehavingApi extends AsyncDisposable {
  url: string
  /** PEM. */
  ca: string
  admin: Credentials
  /** A kubeconfig file for an administrator. */
  kubeconfig: string
  /** Calls the API as an administrator. */
  send: Send
  /** Makes a certificate for another administrator. */
  issueAdmin(name: string): Credentials
  faults: Faults
  log: Faults['log']
  /** How many watches are open. */
  readonly watchers: number
}

/**
 * Puts a server in front of an API that hands everything on until its faults are switched on: in the
 * name of whoever shows a token, and else as the administrator of the kubeconfig. Whoever goes to the
 * API itself is not disturbed by them.
 */
export async function startFront(backing: { kubeconfig: string }): Promise<MisbehavingApi> {
  const authority = createAuthority()
  const ca = authority.certificate
  const server = authority.issueServer('localhost')
  const admin = authority.issueClient('admin', 'system:masters')
  const front = new Front(await readKubeconfig(backing.kubeconfig), { ca, ...server })
  const url = await front.port.listen(true)
  const folder = await mkdtemp(join(tmpdir(), 'talos-operator-front-'))
  const kubeconfig = join(folder, 'kubeconfig')
  await writeFile(kubeconfig, kubeconfigFor({ server: url, ca, ...admin }), { mode: 0o600 })
  return {
    ...{ url, ca, admin, kubeconfig },
    send: connect(url, ca, admin),
    issueAdmin: (name) => authority.issueClient(name, 'system:masters'),
    faults: front.faults,
    log: front.faults.log,
    get watchers() {
      return front.faults.watchers
    },
    [Symbol.asyncDispose]: async () => {
      await front.port.listen(false)
      front.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Starts an API with a server in front of it. Disposing of that ends both. */
export async function startMisbehaving(
  start: () => Promise<{ kubeconfig: string } & AsyncDisposable>,
): Promise<MisbehavingApi> {
  const backing = await start()
  const front = await startFront(backing)
  const endFront = front[Symbol.asyncDispose]
  return Object.assign(front, {
    [Symbol.asyncDispose]: async () => {
      await endFront()
      await backing[Symbol.asyncDispose]()
    },
  })
}

class Front {
  readonly faults: Faults
  readonly port: HttpsPort
  readonly #asAdmin: Agent
  readonly #asNobody: Agent
  readonly #backing: AdminAccess
  /** The first version that is not too old. */
  #oldest = 0

  constructor(backing: AdminAccess, tls: Credentials & { ca: string }) {
    this.#backing = backing
    const { ca, certificate: cert, key } = backing
    this.#asAdmin = new Agent({ keepAlive: true, ca, cert, key })
    this.#asNobody = new Agent({ keepAlive: true, ca })
    this.faults = new Faults({
      listen: (on) => this.port.listen(on),
      forget: () => this.#forget(),
    })
    this.port = new HttpsPort(
      tls,
      (request, response) =>
        void this.faults.around(request, response, () => this.#forward(request, response)),
    )
  }

  close(): void {
    this.#asAdmin.destroy()
    this.#asNobody.destroy()
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<Reply | undefined> {
    const url = new URL(request.url ?? '', this.#backing.server)
    const expiry = this.#expiryOf(url)
    if (expiry && isWatch(url.searchParams)) return this.#endWith(expiry, response)
    if (expiry) throw expiry
    const { method, headers } = request
    const { host, connection, ...kept } = headers
    const outgoing = httpsRequest(url, { method, headers: kept, agent: this.#agentFor(request) })
    response.once('close', () => outgoing.destroy())
    request.pipe(outgoing)
    const [incoming]: IncomingMessage[] = await once(outgoing, 'response')
    // Once the answer has begun, what happens to the connection is told by its body.
    outgoing.on('error', () => {})
    if (!incoming) throw new Failure(503, 'the API behind gave no answer')
    const isOpen = isWatch(url.searchParams) && incoming.statusCode === 200
    return isOpen ? this.#relay(incoming, response) : replyOf(incoming)
  }

  #agentFor({ headers, socket }: IncomingMessage): Agent {
    if (headers.authorization !== undefined) return this.#asNobody
    if (isKnown(socket)) return this.#asAdmin
    throw new Failure(401, 'Unauthorized')
  }

  /** A watch that cannot be is refused as an event. */
  #endWith({ status }: Failure, response: ServerResponse): undefined {
    const watch = this.faults.openWatch(response)
    watch.send(`${JSON.stringify({ type: 'ERROR', object: status })}\n`)
    watch.end()
    return undefined
  }

  #relay(incoming: IncomingMessage, response: ServerResponse): undefined {
    const watch = this.faults.openWatch(response)
    let rest = ''
    incoming
      .setEncoding('utf8')
      .on('data', (chunk: string) => {
        const lines = `${rest}${chunk}`.split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) watch.send(`${line}\n`)
      })
      .on('end', () => watch.end())
      .on('error', () => watch.break())
    return undefined
  }

  /** Anything new makes a version that is newer than all so far. */
  async #forget(): Promise<void> {
    const { server, ca, ...admin } = this.#backing
    const send = connect(server, ca, admin)
    const path = '/api/v1/namespaces/default/configmaps'
    const body = { metadata: { generateName: 'forgotten-' } }
    const { body: created } = await send({ method: 'POST', path, body })
    this.#oldest = Number(Object(created).metadata.resourceVersion)
  }

  /** What the API says of a version that it has forgotten; nothing, if the request names none. */
  #expiryOf({ searchParams: query }: URL): Failure | undefined {
    const token = readToken(query.get('continue') ?? '')
    if (token && this.#isForgotten(token.rv)) return tooOldPage(token)
    // A list that names a version takes any later one.
    const version = isWatch(query) ? Number(query.get('resourceVersion') ?? 0) : 0
    if (!this.#isForgotten(version)) return undefined
    return new Failure(410, `too old resource version: ${version} (${this.#oldest})`)
  }

  #isForgotten(version: number): boolean {
    return version > 0 && version < this.#oldest
  }
}

// A resumed TLS session counts as authorized even if it never had a certificate.
const isKnown = (socket: Socket): boolean =>
  socket instanceof TLSSocket && socket.authorized && !!peerCertificate(socket)

const isWatch = (query: URLSearchParams): boolean => /^(true|1)$/.test(query.get('watch') ?? '')

/** Kubernetes' tokens hold the version of their list. */
function readToken(text: string): { rv: number } | undefined {
  return text === '' ? undefined : JSON.parse(Buffer.from(text, 'base64url').toString())
}

// Version -1 is how Kubernetes lets a client go on with whatever there is by then.
const tooOldPage = (token: object): Failure =>
  new Failure(410, 'The provided continue parameter is too old', {
    continue: Buffer.from(JSON.stringify({ ...token, rv: -1 })).toString('base64url'),
  })

async function replyOf(incoming: IncomingMessage): Promise<Reply> {
  const { 'content-type': type, 'retry-after': retryAfter } = incoming.headers
  const headers = {
    ...(type && { 'content-type': type }),
    ...(retryAfter && { 'retry-after': retryAfter }),
  }
  let body = ''
  for await (const chunk of incoming.setEncoding('utf8')) body += chunk
  return { code: incoming.statusCode ?? 0, headers, body }
}
