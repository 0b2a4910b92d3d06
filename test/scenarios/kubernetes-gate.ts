import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import type { ApiAccess } from '#kube/access.ts'
import type { AnApi } from '#test/an-api.ts'
import { type Authority, createAuthority } from '#test/conformance/kubernetes/certificates.ts'
import { HttpsPort } from '#test/misbehaving/https-port.ts'
import type { Boundary, NewCall } from './boundary.ts'
import type { RacingClock } from './racing-clock.ts'

interface Gate extends AsyncDisposable {
  /** How the operator reaches the API. */
  access: ApiAccess
}

interface Options {
  api: AnApi
  boundary: Boundary
  clock: RacingClock
  /** Ends the operator, at once. */
  kill: () => void
}

let made: Authority | undefined

/** Opens a way to the API for one operator, which ends with it. */
export async function openGate(options: Options): Promise<Gate> {
  made ??= createAuthority()
  const { certificate: ca } = made
  const { api, clock } = options
  const { certificate: cert, key } = api.admin
  const agent = new Agent({ keepAlive: true, ca: api.ca, cert, key })
  const port = new HttpsPort({ ca, ...made.issueServer('localhost') }, (request, response) => {
    const isWatch = /[?&]watch=(true|1)/.test(request.url ?? '')
    const passing = () => pass({ request, response, agent }, options)
    // Whoever is hung up on has been told.
    void (isWatch ? passing() : clock.during(passing)).catch(() => response.destroy())
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

interface Passing {
  request: IncomingMessage
  response: ServerResponse
  agent: Agent
}

async function pass(passing: Passing, options: Options): Promise<void> {
  const { request, response } = passing
  const body = await bodyOf(request)
  if (request.method === 'GET') return relay(await forward(passing, body, options), response)
  const { call, interruption } = options.boundary.enter(callOf(request, body))
  if (interruption === 'killed before') {
    call.outcome = 'never made'
    options.kill()
    return
  }
  const answer = await forward(passing, body, options)
  call.outcome = (answer.statusCode ?? 500) < 300 ? 'done' : 'refused'
  if (interruption === 'killed after') options.kill()
  if (interruption === 'reply lost') call.outcome = 'reply lost'
  if (interruption === undefined) return relay(answer, response)
  answer.resume()
  response.destroy()
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  return body
}

async function forward(
  { request, response, agent }: Passing,
  body: string,
  { api }: Options,
): Promise<IncomingMessage> {
  const { method, headers } = request
  const { host, connection, ...kept } = headers
  const outgoing = httpsRequest(new URL(request.url ?? '', api.url), {
    ...{ method, headers: kept, agent },
  })
  response.once('close', () => outgoing.destroy())
  outgoing.end(body)
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response')
  // Once the answer has begun, what happens to the connection is told by its body.
  outgoing.on('error', () => {})
  if (!incoming) throw new Error('the API gave no answer')
  return incoming
}

async function relay(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(answer.statusCode ?? 500, answer.headers)
  response.flushHeaders()
  answer.on('error', () => response.destroy())
  answer.pipe(response)
  await once(response, 'close')
}

/** `/apis/group/version/namespaces/one/plural/name/status`, or one without a group or a namespace. */
function callOf({ method = '', url = '' }: IncomingMessage, body: string): NewCall {
  const path = url.replace(/\?.*/, '').replace(/^\/(api\/[^/]+|apis\/[^/]+\/[^/]+)\//, '')
  const [plural = '', name, subresource] = path.replace(/^namespaces\/[^/]+\//, '').split('/')
  return {
    to: 'kubernetes',
    method,
    kind: subresource ? `${plural}/${subresource}` : plural,
    name: name ?? nameIn(body),
  }
}

function nameIn(body: string): string {
  const { name, generateName } = Object(JSON.parse(body)).metadata ?? {}
  return String(name ?? generateName ?? '')
}
