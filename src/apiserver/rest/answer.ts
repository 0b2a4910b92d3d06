import type { ServerResponse } from 'node:http'
import { ApiFailure, internalError } from '#apiserver/failure.ts'
import type { Fields } from '#apiserver/objects.ts'
import { toYaml } from '#base/yaml.ts'

/** What a request is answered with. */
export interface Answer {
  code: number
  /** An object is shown in the syntax that the client takes; bytes are JSON, a text is plain. */
  body: Fields | Buffer | string
  contentType?: string
  headers?: Readonly<Record<string, string>>
}

/** An answer that is written bit by bit, by itself. */
export interface Streamed {
  stream(response: ServerResponse): void | Promise<void>
}

export const isStreamed = (answer: Answer | Streamed): answer is Streamed => 'stream' in answer

export interface Style {
  syntax: 'json' | 'yaml'
  isPretty: boolean
}

/** Sends an answer as a whole. */
export function send(response: ServerResponse, answer: Answer, style: Style): void {
  const { bytes, contentType } = rendered(answer, style)
  response.writeHead(answer.code, {
    'cache-control': 'no-cache, private',
    'content-type': answer.contentType ?? contentType,
    'content-length': bytes.length,
    ...answer.headers,
  })
  endWith(response, bytes)
}

// Below what a TLS connection takes at once.
const SMALL_BYTES = 8 * 1024
const LAST_BYTES = 512

/**
 * Sends the last bytes of an answer when those before them are gone. While an answer waits in the socket, Node pauses
 * the parser of the connection's next request, and breaks the connection when more of that comes: a client must
 * not have the whole answer before that is over.
 */
export function endWith(response: ServerResponse, bytes: Buffer): void {
  if (bytes.length <= SMALL_BYTES) {
    response.end(bytes)
    return
  }
  const rest = bytes.subarray(bytes.length - LAST_BYTES)
  response.write(bytes.subarray(0, bytes.length - LAST_BYTES), () => response.end(rest))
}

function rendered({ body }: Answer, { syntax, isPretty }: Style) {
  if (typeof body === 'string') {
    return { bytes: Buffer.from(body), contentType: 'text/plain; charset=utf-8' }
  }
  const json = 'application/json'
  if (syntax === 'yaml') {
    const value = Buffer.isBuffer(body) ? parsedJson(body) : body
    return { bytes: Buffer.from(toYaml(value)), contentType: 'application/yaml' }
  }
  if (Buffer.isBuffer(body)) {
    if (!isPretty) return { bytes: body, contentType: json }
    return { bytes: pretty(parsedJson(body)), contentType: json }
  }
  return { bytes: isPretty ? pretty(body) : Buffer.from(JSON.stringify(body)), contentType: json }
}

function parsedJson(bytes: Buffer): unknown {
  const value: unknown = JSON.parse(bytes.toString())
  return value
}

const pretty = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`)

/** Whatever was thrown, as an answer: what nobody foresaw is an internal error. */
export function failureAnswer(error: unknown): Answer {
  const failure = error instanceof ApiFailure ? error : internalError(wordsOf(error))
  return { code: failure.code, body: failure.status, headers: retryHeader(failure) }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function retryHeader({ status, code }: ApiFailure): Record<string, string> {
  const { details } = status
  if (code !== 429 && code !== 504) return {}
  const seconds = typeof details === 'object' && details && 'retryAfterSeconds' in details
  return seconds ? { 'retry-after': String(Object(details).retryAfterSeconds) } : {}
}
