import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import type { Credentials } from './certificates.ts'

const DEADLINE_MS = 30_000
const LARGEST_ANSWER_BYTES = 64 * 1024 * 1024

export interface Answer {
  status: number
  /** The parsed body, or the text if it is not JSON. */
  body: unknown
  /** What the server warned of, without the boilerplate around it. */
  warnings: string[]
}

interface Call {
  method: string
  path: string
  body?: unknown
  /** The body, if it is no JSON. */
  text?: string
  contentType?: string
  accept?: string
}

/** Sends one request to an API server and reads the whole answer. Rejects only when there is none. */
export type Send = (call: Call) => Promise<Answer>

/** A connection to an API server, verified by its CA and authenticated by a client certificate. */
export function connect(url: string, ca: string, client: Credentials): Send {
  const agent = new Agent({ keepAlive: true, ca, cert: client.certificate, key: client.key })
  return async ({ method, path, body, ...call }) => {
    const { contentType = 'application/json', accept = 'application/json' } = call
    const outgoing = request(new URL(path, url), {
      method,
      agent,
      signal: AbortSignal.timeout(DEADLINE_MS),
      headers: { accept, 'content-type': contentType },
    })
    const text = call.text ?? (body === undefined ? undefined : JSON.stringify(body))
    // Node sets it by itself for some methods only; a server ignores the body of a DELETE without it.
    if (text !== undefined) outgoing.setHeader('content-length', Buffer.byteLength(text))
    outgoing.end(text)
    const [incoming]: IncomingMessage[] = await once(outgoing, 'response')
    return {
      status: incoming?.statusCode ?? 0,
      body: parsed(incoming ? await wholeText(incoming) : ''),
      warnings: warningsIn(incoming?.headers.warning),
    }
  }
}

async function wholeText(incoming: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of incoming.setEncoding('utf8')) {
    text += chunk
    if (text.length > LARGEST_ANSWER_BYTES) throw new Error('the answer is too large')
  }
  return text
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

// Each warning reads `299 - "text"`; several are joined by commas.
const warningsIn = (header: string | undefined): string[] =>
  [...(header ?? '').matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text)
