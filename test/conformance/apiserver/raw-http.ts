import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Agent, type RequestOptions, request } from 'node:https'
import { readKubeconfig } from '#test/misbehaving/admin-kubeconfig.ts'

const DEADLINE_MS = 120_000

/** One request, in every detail that a case may want to get wrong. */
export interface Call {
  method: string
  path: string
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is, instead of a body. */
  text?: string
  contentType?: string
  accept?: string
  headers?: Record<string, string>
  /** Shown instead of the administrator's certificate; an empty one shows nothing at all. */
  token?: string
  /** Who the administrator pretends to be, and of which groups. */
  as?: string
  groups?: string[]
}

export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** An answer that goes on: what has come so far is in `lines`. */
export interface Stream {
  status: number
  headers: IncomingHttpHeaders
  readonly lines: readonly string[]
  /** What has come without its line end. */
  readonly rest: string
  readonly ended: boolean
  close(): void
}

/** Speaks to one API as anyone. */
export interface RawHttp extends Disposable {
  /** Of the API: `127.0.0.1:6443`. */
  host: string
  ask(call: Call): Promise<Reply>
  open(call: Call): Promise<Stream>
}

/** Connects as the user of a kubeconfig, and without a certificate for calls that bring a token. */
export async function rawHttp(kubeconfig: string): Promise<RawHttp> {
  const { server, ca, certificate: cert, key } = await readKubeconfig(kubeconfig)
  const admin = new Agent({ keepAlive: true, ca, cert, key })
  const nobody = new Agent({ keepAlive: true, ca })

  const begin = async (call: Call): Promise<IncomingMessage> => {
    const sent = bodyOf(call)
    const options: RequestOptions = {
      method: call.method,
      agent: call.token === undefined ? admin : nobody,
      signal: AbortSignal.timeout(DEADLINE_MS),
      headers: headersOf(call, sent),
    }
    const outgoing = request(`${server}${call.path}`, options)
    // A server that refuses a large body may answer and hang up while it is still being sent.
    outgoing.on('error', () => {})
    outgoing.end(sent)
    const [incoming]: IncomingMessage[] = await once(outgoing, 'response')
    if (!incoming) throw new Error('no answer')
    return incoming
  }

  return {
    host: new URL(server).host,
    ask: async (call) => {
      const incoming = await begin(call)
      let text = ''
      for await (const chunk of incoming.setEncoding('utf8')) text += chunk
      return { status: incoming.statusCode ?? 0, headers: incoming.headers, text }
    },
    open: async (call) => streamOf(await begin(call)),
    [Symbol.dispose]: () => {
      admin.destroy()
      nobody.destroy()
    },
  }
}

const bodyOf = ({ body, text }: Call): string | undefined =>
  text ?? (body === undefined ? undefined : JSON.stringify(body))

function headersOf(call: Call, sent: string | undefined): Record<string, string | string[]> {
  const { contentType = 'application/json', accept = 'application/json', token, as, groups } = call
  return {
    accept,
    'user-agent': 'conformance/1.0',
    ...(contentType !== '' && sent !== undefined && { 'content-type': contentType }),
    // Left to itself, Node sends the body of a DELETE without saying how long it is.
    ...(sent !== undefined && { 'content-length': String(Buffer.byteLength(sent)) }),
    ...(token && { authorization: `Bearer ${token}` }),
    ...(as !== undefined && { 'impersonate-user': as }),
    ...(groups && { 'impersonate-group': groups }),
    ...call.headers,
  }
}

function streamOf(incoming: IncomingMessage): Stream {
  const lines: string[] = []
  let rest = ''
  let ended = false
  incoming.setEncoding('utf8').on('data', (chunk) => {
    const [first = '', ...more] = String(chunk).split('\n')
    rest += first
    for (const next of more) {
      lines.push(rest)
      rest = next
    }
  })
  incoming.on('error', () => {}) // told by `ended`
  incoming.once('close', () => {
    ended = true
  })
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    lines,
    get rest() {
      return rest
    },
    get ended() {
      return ended
    },
    close: () => incoming.destroy(),
  }
}
