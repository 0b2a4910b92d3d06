import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2'
import { type CallEnd, CallError } from './call-error.ts'
import { MessageReader } from './framing.ts'
import { status } from './status.ts'

type Said = Extract<CallEnd, { is: 'said' }>

/** Who is told of a call. */
export interface CallEvents {
  /** A message arrived. */
  onMessage(message: Buffer): void
  /** It is over, once: well, or for this reason. */
  onEnd(error: CallError | undefined): void
}

/** One call: an HTTP/2 stream, and the status at its end. */
export class Http2Call {
  readonly stream: ClientHttp2Stream
  readonly #events: CallEvents
  readonly #reader = new MessageReader()
  #said: Said | undefined
  #httpStatus = 200
  #broken = ''
  #isOver = false

  /** Throws a CallError when the connection takes no more calls. */
  constructor(session: ClientHttp2Session, path: string, events: CallEvents) {
    this.#events = events
    this.stream = requested(session, path)
    this.stream
      .on('response', (headers) => {
        this.#httpStatus = headers[':status'] ?? 200
        this.#hear(headers)
      })
      .on('trailers', (trailers) => this.#hear(trailers))
      .on('data', (piece: Buffer) => this.#read(piece))
      // The machine is done. We may not be: what is still to be sent, nobody reads.
      .on('end', () => {
        if (this.#said) this.#close()
      })
      .on('error', (error) => {
        this.#broken = error.message
      })
      .on('close', () => this.#close())
  }

  cancel(): void {
    this.#end({ is: 'broken', why: 'it was cancelled' })
  }

  /** It is over for this reason, as far as we are concerned. */
  fail(error: CallError): void {
    this.#end(error.end)
  }

  #read(piece: Buffer): void {
    if (this.#isOver) return
    try {
      for (const message of this.#reader.read(piece)) this.#events.onMessage(message)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      this.#end(error.end)
    }
  }

  /** The status is in the trailers, or in the headers of an answer that has nothing else. */
  #hear(headers: IncomingHttpHeaders): void {
    const code = String(headers['grpc-status'] ?? '')
    // What is no status says nothing of what the machine did.
    if (!/^\d{1,3}$/.test(code)) return
    const details = decoded(String(headers['grpc-message'] ?? ''))
    this.#said = { is: 'said', code: Number(code), details }
  }

  #close(): void {
    this.#end(this.#said ? this.#withStatus(this.#said) : this.#withoutStatus())
  }

  #withStatus(said: Said): CallEnd | undefined {
    if (said.code !== status.OK) return said
    return this.#reader.isWithin ? { is: 'unreadable', why: 'it breaks off' } : undefined
  }

  #withoutStatus(): CallEnd {
    const { rstCode } = this.stream
    if (rstCode === constants.NGHTTP2_REFUSED_STREAM) {
      return { is: 'unsent', why: 'the machine takes no more calls' }
    }
    if (this.#httpStatus !== 200) {
      return { is: 'broken', why: `it answered with the HTTP status ${this.#httpStatus}` }
    }
    return { is: 'broken', why: this.#broken || 'the connection broke' }
  }

  #end(end: CallEnd | undefined): void {
    if (this.#isOver) return
    this.#isOver = true
    // What both have ended closes by itself.
    const isEnded = this.#said !== undefined && this.stream.writableEnded
    if (!isEnded && !this.stream.closed) this.stream.close(constants.NGHTTP2_CANCEL)
    this.#events.onEnd(end && new CallError(end))
  }
}

function requested(session: ClientHttp2Session, path: string): ClientHttp2Stream {
  try {
    return session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      'user-agent': 'talos-operator',
    })
  } catch {
    throw new CallError({ is: 'unsent', why: 'the connection is gone' })
  }
}

/** The words of a status, in which what is not ASCII is written with percent signs. */
function decoded(words: string): string {
  try {
    return decodeURIComponent(words)
  } catch {
    return words
  }
}
