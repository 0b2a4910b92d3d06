import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

const PIECES = 10
const PAUSE_MS = 20

/** What to answer: JSON, or a text, which is plain unless the headers say more. */
export interface Reply {
  code: number
  body: Record<string, unknown> | string
  headers?: Record<string, string>
}

/** What becomes of a body after its first half: it never goes on, it breaks off, it comes in bits. */
export type BodyFault = 'stalls' | 'breaks' | 'trickles'

/** Sends an answer, whole unless told. Does nothing where nobody waits for it any more. */
export async function send(
  response: ServerResponse,
  { code, body, headers = {} }: Reply,
  fault?: BodyFault,
): Promise<void> {
  // A watch that broke while it was begun has nothing left to say.
  if (response.headersSent) return void response.destroy()
  const isText = typeof body === 'string'
  const text = isText ? body : JSON.stringify(body)
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json'
  const length = Buffer.byteLength(text)
  response.writeHead(code, { 'content-type': type, ...headers, 'content-length': length })
  if (!fault) return void response.end(text)

  const half = Math.ceil(text.length / 2)
  await new Promise<void>((resolve) => response.write(text.slice(0, half), () => resolve()))
  if (fault === 'breaks') response.destroy()
  if (fault === 'trickles') await trickle(response, text.slice(half))
}

async function trickle(response: ServerResponse, text: string): Promise<void> {
  const size = Math.ceil(text.length / PIECES)
  for (let at = 0; at < text.length && !response.destroyed; at += size) {
    await delay(PAUSE_MS)
    response.write(text.slice(at, at + size))
  }
  response.end()
}
