import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { createServer } from 'node:net'
import { kinds } from '#api/kinds.ts'
import type { Clock } from '#base/clock.ts'
import type { CarriedRequest, Carry, Response } from '#kube/access.ts'
import { type AnApi, anApi } from '#test/an-api.ts'
import { type Authority, createAuthority } from '#test/conformance/kubernetes/certificates.ts'
import { HttpsPort } from '#test/misbehaving/https-port.ts'
import type { Gate, Ways } from './ways.ts'

/** Everything as it is outside of tests: TLS between all, at addresses of a subnet. */
export async function tlsWays({ clock, subnet }: { clock: Clock; subnet: string }): Promise<Ways> {
  const [port, kubernetesPort] = [await freePort(`${subnet}.1`), await freePort(`${subnet}.1`)]
  const api = await anApi({ clock, kinds })
  return {
    ...{ send: api.send, simulation: { port, kubernetesPort }, kubernetesPort },
    ...{ talos: { port }, nodes: {} },
    openGate: (through) => openGate(api, through),
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  }
}

let made: Authority | undefined

async function openGate(api: AnApi, through: (onward: Carry) => Carry): Promise<Gate> {
  made ??= createAuthority()
  const { certificate: ca } = made
  const { certificate: cert, key } = api.admin
  const agent = new Agent({ keepAlive: true, ca: api.ca, cert, key })
  const carry = through((request) => forward(request, { api, agent }))
  const port = new HttpsPort({ ca, ...made.issueServer('localhost') }, (request, response) => {
    // Whoever is hung up on has been told.
    relay(request, response, carry).catch(() => response.destroy())
  })
  const server = new URL(await port.listen(true))
  return {
    access: {
      ...{ origin: 'a scenario', server, skipVerify: false, namespace: 'default' },
      authority: async () => ca,
      credentials: async () => ({}),
    },
    [Symbol.asyncDispose]: async () => {
      agent.destroy()
      await port.listen(false)
    },
  }
}

async function relay(
  request: IncomingMessage,
  response: ServerResponse,
  carry: Carry,
): Promise<void> {
  const { method = '', url = '', headers } = request
  const { host, connection, ...kept } = headers
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const body = await bodyOf(request)
  const answer = await carry({
    ...{ method, url: new URL(url, `https://${host}`), signal: gone.signal, credentials: {} },
    headers: Object.fromEntries(Object.entries(kept).map(([name, value]) => [name, value ?? ''])),
    ...(body !== '' && { body }),
  })
  response.writeHead(answer.status, answer.headers)
  response.flushHeaders()
  answer.body.on('error', () => response.destroy())
  answer.body.pipe(response)
  await once(response, 'close')
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  return body
}

async function forward(
  { method, url, headers, body, signal }: CarriedRequest,
  { api, agent }: { api: AnApi; agent: Agent },
): Promise<Response> {
  const target = new URL(`${url.pathname}${url.search}`, api.url)
  const outgoing = httpsRequest(target, { method, headers, agent, signal })
  outgoing.end(body)
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response')
  // Once the answer has begun, what happens to the connection is told by its body.
  outgoing.on('error', () => {})
  if (!incoming) throw new Error('the API gave no answer')
  return { status: incoming.statusCode ?? 500, headers: incoming.headers, body: incoming }
}

/** One that nobody listens on, at an address that only these tests use. */
export async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
