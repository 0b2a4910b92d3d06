import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { readKubeconfig } from '#test/misbehaving/admin-kubeconfig.ts'

interface RawCall {
  method?: string
  path: string
  body?: object
  /** Shown instead of the administrator's certificate. */
  token?: string
}

/** An answer while it arrives. */
export interface RawAnswer {
  status: number
  headers: IncomingMessage['headers']
  /** What has come so far. */
  readonly text: string
  /** The lines that have come so far, those that are JSON parsed. */
  readonly lines: unknown[]
  /** Resolves to whether the answer ended as it should, or its connection broke. */
  ended: Promise<'complete' | 'broken'>
  close(): void
}

/** Calls the API of a kubeconfig and hands out the answer as soon as it begins, as watches need. */
export async function callRaw(kubeconfig: string, call: RawCall): Promise<RawAnswer> {
  const { server, ca, certificate: cert, key } = await readKubeconfig(kubeconfig)
  const { method = 'GET', path, body, token } = call
  const sent = body && JSON.stringify(body)
  const options: RequestOptions = {
    method,
    ca,
    ...(token === undefined && { cert, key }),
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      // Left to itself, Node sends the body of a DELETE without saying how long it is.
      ...(sent && { 'content-type': 'application/json', 'content-length': sent.length }),
    },
    agent: false,
  }
  const outgoing = request(new URL(path, server), options)
  outgoing.end(sent)
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response')
  if (!incoming) throw new Error('no answer')
  return reading(incoming)
}

function reading(incoming: IncomingMessage): RawAnswer {
  let text = ''
  incoming.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  incoming.on('error', () => {}) // told by `ended`
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    get text() {
      return text
    },
    get lines() {
      return text.split('\n').filter(Boolean).map(parsed)
    },
    ended: new Promise((resolve) => {
      incoming.once('close', () => resolve(incoming.complete ? 'complete' : 'broken'))
    }),
    close: () => incoming.destroy(),
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
}
