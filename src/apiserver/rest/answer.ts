import type { ServerResponse } from 'node:http'
import { ApiFailure, internalError } from '#apiserver/failure.ts'
import { documentPiecesInSteps, isLight } from '#apiserver/json-text.ts'
import type { Fields } from '#apiserver/objects.ts'
import type { Pace } from '#apiserver/pace.ts'
import { inTurns, type Steps } from '#apiserver/steps.ts'
import { bytesInSteps } from '#apiserver/utf8-text.ts'
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
  const type = answer.contentType ?? (bytes.length > 0 ? contentType : undefined)
  response.writeHead(answer.code, {
    'cache-control': 'no-cache, private',
    // What is not sent again has neither.
    ...(answer.code !== 304 && {
      ...(type && { 'content-type': type }),
      'content-length': bytes.length,
    }),
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

function rendered({ body, contentType }: Answer, { syntax, isPretty }: Style) {
  if (typeof body === 'string') {
    return { bytes: Buffer.from(body), contentType: 'text/plain; charset=utf-8' }
  }
  const json = { contentType: 'application/json' }
  const isBytes = Buffer.isBuffer(body)
  // What has a media type of its own is in that, whatever is asked for.
  if (isBytes && contentType !== undefined) return { ...json, bytes: body }
  if (syntax === 'yaml') {
    const text = isBytes ? body.toString() : JSON.stringify(body)
    return { bytes: Buffer.from(yamlText(text)), contentType: 'application/yaml' }
  }
  if (isBytes && (!isPretty || body.length > LARGEST_PRETTY)) {
    return { ...json, bytes: asLine(body) }
  }
  return { ...json, bytes: Buffer.from(jsonText(isBytes ? parsedJson(body) : body, isPretty)) }
}

const LARGEST_YAML = 32 * 1024
/** What is longer is not indented for people to read: that keeps others waiting too. */
export const LARGEST_PRETTY = 256 * 1024

/** JSON as YAML. A long one stays as it is, for JSON is YAML too: to write it otherwise keeps others waiting. */
export const yamlText = (json: string): string =>
  json.length > LARGEST_YAML ? `${json.trimEnd()}\n` : toYaml(JSON.parse(json))

const NEWLINE = 0x0a
const END_OF_LINE = Buffer.of(NEWLINE)

/** Objects and Statuses are lines, so that they can be read one after the other. */
const asLine = (bytes: Buffer): Buffer =>
  bytes.at(-1) === NEWLINE ? bytes : Buffer.concat([bytes, END_OF_LINE])

const jsonText = (value: unknown, isPretty: boolean): string =>
  isPretty ? prettyJson(value) : `${JSON.stringify(value)}\n`

function parsedJson(bytes: Buffer): unknown {
  const value: unknown = JSON.parse(bytes.toString())
  return value
}

/** As people read it. */
export const prettyJson = (value: unknown): string => JSON.stringify(value, undefined, 2)

/** Whatever was thrown, as an answer: what nobody foresaw is an internal error. */
export function failureAnswer(error: unknown): Answer {
  const failure = error instanceof ApiFailure ? error : internalError(wordsOf(error))
  return { code: failure.code, body: failure.status, headers: retryHeader(failure) }
}

/** The same, in several turns of the event loop if it tells of very much. */
export async function failureAnswerInTurns(error: unknown, pace: Pace): Promise<Answer> {
  const answer = failureAnswer(error)
  if (isLight(answer.body)) return answer
  return { ...answer, body: await inTurns(pace, bytesOfDocument(answer.body)) }
}

function* bytesOfDocument(document: unknown): Steps<Buffer> {
  const pieces = yield* documentPiecesInSteps(document)
  return Buffer.concat(yield* bytesInSteps(pieces))
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function retryHeader({ status, code }: ApiFailure): Record<string, string> {
  const { details } = status
  if (code !== 429 && code !== 504) return {}
  const seconds = typeof details === 'object' && details && 'retryAfterSeconds' in details
  return seconds ? { 'retry-after': String(Object(details).retryAfterSeconds) } : {}
}
