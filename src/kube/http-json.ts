import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { ApiError } from './api-error.ts'
import type { Response } from './transport.ts'

// The largest object a server stores is 1.5 MB by default; a page of a list has up to 500.
const LARGEST_ANSWER_BYTES = 256 * 1024 * 1024

const Status = Type.Object({
  reason: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  details: Type.Optional(
    Type.Object({
      name: Type.Optional(Type.String()),
      causes: Type.Optional(
        Type.Array(
          Type.Object({
            reason: Type.Optional(Type.String()),
            field: Type.Optional(Type.String()),
            message: Type.Optional(Type.String()),
          }),
        ),
      ),
      retryAfterSeconds: Type.Optional(Type.Number()),
    }),
  ),
})

/** Reads the body of an answer as text, up to a bound. */
export async function readText(
  { body }: Response,
  mostBytes = LARGEST_ANSWER_BYTES,
): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    const buffer: Buffer = chunk
    bytes += buffer.length
    if (bytes > mostBytes) {
      body.destroy()
      throw garbled(`is larger than ${mostBytes / 1024 / 1024} MiB`)
    }
    chunks.push(buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Parses an object that an API server sent. The server has validated it against the schema that the
 * type was made from, so it is not validated again here.
 */
export function parseObject<Type>(text: string): Type {
  try {
    const parsed: Type = JSON.parse(text)
    return parsed
  } catch (cause) {
    throw garbled('is not JSON', cause)
  }
}

/** The error that a refusing answer stands for. `what` says what was tried: `get secrets a/b`. */
export function refusal(what: string, { status, headers }: Response, text: string): ApiError {
  const answer = statusIn(text)
  const seconds = Number(headers['retry-after'] ?? answer?.details?.retryAfterSeconds)
  const reason = answer?.reason || reasonOf(status)
  const objectName = answer?.details?.name
  return new ApiError(`could not ${what}: ${answer?.message || `${reason} (HTTP ${status})`}`, {
    status,
    reason,
    ...(objectName && { objectName }),
    causes: (answer?.details?.causes ?? []).map(({ reason = '', field = '', message = '' }) => ({
      reason,
      field,
      message,
    })),
    ...(Number.isFinite(seconds) && { retryAfterMs: Math.max(0, seconds * 1_000) }),
  })
}

function statusIn(text: string) {
  try {
    const body: unknown = JSON.parse(text)
    return Value.Check(Status, body) ? body : undefined
  } catch {
    // A proxy in between answers in HTML.
    return undefined
  }
}

const REASONS: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

const reasonOf = (status: number): string => REASONS[status] ?? 'Unknown'

const garbled = (why: string, cause?: unknown): ApiError =>
  new ApiError(`the answer of the API server ${why}`, { status: 0, reason: 'Garbled', cause })
