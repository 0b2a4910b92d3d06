import type { Clock } from '#base/clock.ts'
import { DeadlineExceeded, forwardAbort, withDeadline } from '#base/deadline.ts'
import type { ApiAccess } from './access.ts'
import { ApiError } from './api-error.ts'
import { readText, refusal } from './http-json.ts'
import { Limiter, type Priority } from './limiter.ts'
import { type Response, Transport } from './transport.ts'

const MOST_TRIES = 5
const DEFAULT_DEADLINE_MS = 30_000
// A day, as a proxy may ask for, would be a day without an operator.
const LONGEST_PAUSE_MS = 30_000

/** What any call takes. */
export interface CallOptions {
  signal?: AbortSignal
  /** How long the call may take in all, waiting for its turn included. 30 s if left out. */
  deadlineMs?: number
  priority?: Priority
}

export interface Call {
  /** What is tried, for messages: `get secrets prod/keys`. */
  what: string
  method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT'
  path: string
  body?: unknown
  contentType?: string
}

/** A call under way: with the signal that ends it, and what the server last had against it. */
interface Turn extends Call {
  priority: Priority
  signal: AbortSignal
  refused?: ApiError
}

export interface CallerOptions {
  access: ApiAccess
  clock: Clock
  /** How we call ourselves in the server's logs. */
  userAgent: string
  limit?: { perSecond: number; burst: number; atOnce: number }
  /** Told of every answer, for metrics. Status 0: there was none. */
  onAnswer?: (method: string, status: number, seconds: number) => void
}

// Far more than a controller needs, and far less than what a server is worn out by.
const GENEROUS = { perSecond: 500, burst: 1_000, atOnce: 32 }

/**
 * Makes calls to one API server: in turn, within their deadlines, tried again where the server asks
 * for it. Every failure is an {@link ApiError}, except that a caller's own abort comes back as it is.
 */
export class Caller {
  readonly #options: CallerOptions
  readonly #transport: Transport
  readonly #limiter: Limiter

  constructor(options: CallerOptions) {
    this.#options = options
    this.#transport = new Transport(options.access)
    this.#limiter = new Limiter({ clock: options.clock, ...(options.limit ?? GENEROUS) })
  }

  close(): void {
    this.#transport.close()
  }

  /** Makes a call and reads the whole answer. */
  text(call: Call, options: CallOptions): Promise<string> {
    return this.#within(call, options, (turn) => this.#answer(turn, readText))
  }

  /** Makes a call whose answer goes on until the signal aborts. The deadline is for its beginning. */
  async open(call: Call, options: CallOptions & { signal: AbortSignal }): Promise<Response> {
    const life = new AbortController()
    const unlink = forwardAbort(options.signal, life)
    try {
      const response = await this.#within(call, options, async (turn) => {
        const unlinkLimit = forwardAbort(turn.signal, life)
        turn.signal = life.signal
        return this.#answer(turn, async (response) => response).finally(unlinkLimit)
      })
      response.body.once('close', unlink)
      return response
    } catch (error) {
      unlink()
      throw error
    }
  }

  async #within<Result>(
    call: Call,
    { deadlineMs = DEFAULT_DEADLINE_MS, signal, priority = 'normal' }: CallOptions,
    work: (turn: Turn) => Promise<Result>,
  ): Promise<Result> {
    const { clock } = this.#options
    let turn: Turn | undefined
    try {
      return await withDeadline({ clock, deadlineMs, ...(signal && { signal }) }, (limit) => {
        turn = { ...call, priority, signal: limit }
        return work(turn)
      })
    } catch (error) {
      if (error instanceof ApiError || signal?.aborted) throw error
      // Out of time while the server wants to be left alone: its own words say more.
      const refused = error instanceof DeadlineExceeded ? turn?.refused : undefined
      throw refused ?? this.#noAnswer(call, error)
    }
  }

  async #answer<Result>(turn: Turn, use: (response: Response) => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      const release = await this.#limiter.turn(turn.priority, turn.signal)
      try {
        const response = await this.#send(turn, tries)
        if (response === 'again') continue
        if (response.status < 300) return await use(response)
        turn.refused = refusal(turn.what, response, await readText(response))
      } finally {
        release()
      }
      const { refused } = turn
      if (!asksToComeBack(refused)) throw refused
      this.#limiter.pause(Math.min(refused.retryAfterMs ?? 1_000, LONGEST_PAUSE_MS))
      if (tries === MOST_TRIES) throw refused
    }
  }

  async #send(call: Turn, tries: number): Promise<Response | 'again'> {
    const { clock, userAgent, onAnswer } = this.#options
    const { method, path, body, contentType = 'application/json', signal } = call
    const start = clock.monotonicMs()
    const tell = (status: number) => onAnswer?.(method, status, (clock.monotonicMs() - start) / 1e3)
    try {
      const response = await this.#transport.send({
        method,
        path,
        signal,
        headers: {
          accept: 'application/json',
          'user-agent': userAgent,
          ...(body !== undefined && { 'content-type': contentType }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      tell(response.status)
      return response
    } catch (error) {
      tell(0)
      // A kept connection may have been closed at the other end. Reading twice does no harm.
      const mayTryAgain = method === 'GET' && tries === 1 && !signal.aborted
      if (mayTryAgain) return 'again'
      throw error
    }
  }

  #noAnswer({ what }: Call, cause: unknown): ApiError {
    const { server } = this.#options.access
    const why = cause instanceof Error ? cause.message || cause.name : String(cause)
    const reason = cause instanceof DeadlineExceeded ? 'Timeout' : 'Unreachable'
    return new ApiError(`could not ${what}: the API server ${server.host} gave no answer: ${why}`, {
      status: 0,
      reason,
      cause,
    })
  }
}

const asksToComeBack = ({ status, retryAfterMs }: ApiError): boolean =>
  status === 429 || (status >= 500 && retryAfterMs !== undefined)
