import type { Clock } from '#base/clock.ts'
import { DeadlineExceeded, forwardAbort, withDeadline } from '#base/deadline.ts'
import { OperatorError } from '#base/operator-error.ts'
import type { ApiAccess } from './access.ts'
import { ApiError, isOverBudget } from './api-error.ts'
import { readText, refusal } from './http-json.ts'
import { Limiter, type Priority } from './limiter.ts'
import { type Response, Transport } from './transport.ts'

const MOST_TRIES = 5
const DEFAULT_DEADLINE_MS = 30_000
// A day, as a proxy may ask for, would be a day without an operator.
const LONGEST_PAUSE_MS = 30_000

/** What a call does, in the words of Kubernetes; `other` reads a path that belongs to no kind. */
type Verb = keyof typeof METHODS

const METHODS = {
  get: 'GET',
  list: 'GET',
  watch: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  apply: 'PATCH',
  delete: 'DELETE',
  other: 'GET',
} as const

/** What any call takes. */
export interface CallOptions {
  signal?: AbortSignal
  /** How long the call may take in all, waiting for its turn included. 30 s if left out. */
  deadlineMs?: number
  /** Who goes first; `normal` if left out. A `lease` that the server puts off fails at once. */
  priority?: Priority
  /**
   * Asked whenever it is about to be sent, after it has waited for its turn. An OperatorError that it
   * throws ends the call, which then was not made.
   */
  beforeSend?: () => void
}

export interface Call {
  verb: Verb
  /** What it is done to, for messages: `secrets prod/keys`. */
  what: string
  path: string
  body?: unknown
  contentType?: string
  /** How large the answer may be. */
  mostBytes?: number
}

/** A call under way: with the signal that ends it, and what the server last had against it. */
interface Turn extends Call {
  priority: Priority
  beforeSend: (() => void) | undefined
  signal: AbortSignal
  refused?: ApiError
}

export interface CallerOptions {
  access: ApiAccess
  clock: Clock
  /** How we call ourselves in the server's logs. */
  userAgent: string
  limit?: { perSecond: number; burst: number; atOnce: number }
  /** Told of every answer, for metrics, as soon as it begins. Status 0: there was none. */
  onAnswer?: (verb: Verb, status: number, seconds: number) => void
  /** Sent along with every request: those of the current trace, for instance. */
  headers?: () => Record<string, string>
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
    const read = (response: Response) => readText(response, call.mostBytes)
    return this.#within(call, options, (turn) => this.#answer(turn, read))
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
      if (response.body.destroyed) unlink()
      response.body.once('close', unlink)
      return response
    } catch (error) {
      unlink()
      throw error
    }
  }

  async #within<Result>(
    call: Call,
    options: CallOptions,
    work: (turn: Turn) => Promise<Result>,
  ): Promise<Result> {
    const { clock } = this.#options
    const { deadlineMs = DEFAULT_DEADLINE_MS, signal, priority = 'normal', beforeSend } = options
    let turn: Turn | undefined
    try {
      return await withDeadline({ clock, deadlineMs, ...(signal && { signal }) }, (limit) => {
        turn = { ...call, priority, beforeSend, signal: limit }
        return work(turn)
      })
    } catch (error) {
      const isKnown = error instanceof ApiError || error instanceof OperatorError
      if (isKnown || signal?.aborted) throw error
      // Out of time while the server wants to be left alone: its own words say more.
      const refused = error instanceof DeadlineExceeded ? turn?.refused : undefined
      throw refused ?? this.#noAnswer(call, error)
    }
  }

  async #answer<Result>(turn: Turn, use: (response: Response) => Promise<Result>): Promise<Result> {
    const { priority } = turn
    for (let tries = 1; ; tries++) {
      const release = await this.#limiter.turn(priority, turn.signal)
      try {
        turn.beforeSend?.()
        const response = await this.#send(turn)
        if (response.status < 300) return await use(response)
        turn.refused = refusal(wordsOf(turn), response, await readText(response))
      } finally {
        release()
      }
      const { refused } = turn
      if (!asksToComeBack(refused)) throw refused
      this.#limiter.pause(priority, Math.min(refused.retryAfterMs ?? 1_000, LONGEST_PAUSE_MS))
      // Pauses do not hold a lease back; who renews one comes again in its own time.
      if (tries === MOST_TRIES || priority === 'lease') throw refused
    }
  }

  async #send(turn: Turn): Promise<Response> {
    const { clock, userAgent, onAnswer, headers } = this.#options
    const { verb, path, body, contentType = 'application/json', signal } = turn
    const start = clock.monotonicMs()
    const tell = (status: number) => onAnswer?.(verb, status, (clock.monotonicMs() - start) / 1e3)
    try {
      const response = await this.#transport.send({
        method: METHODS[verb],
        path,
        signal,
        headers: {
          ...headers?.(),
          accept: 'application/json',
          'user-agent': userAgent,
          ...(body !== undefined && { 'content-type': contentType }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        onRefused: tell,
      })
      tell(response.status)
      return response
    } catch (error) {
      // Whoever stops asking has not been left without an answer.
      if (!signal.aborted || signal.reason instanceof DeadlineExceeded) tell(0)
      throw error
    }
  }

  #noAnswer(call: Call, cause: unknown): ApiError {
    const { host } = this.#options.access.server
    const why = cause instanceof Error ? cause.message || cause.name : String(cause)
    const reason = cause instanceof DeadlineExceeded ? 'Timeout' : 'Unreachable'
    const message = `could not ${wordsOf(call)}: the API server ${host} gave no answer: ${why}`
    return new ApiError(message, { status: 0, reason, cause })
  }
}

const wordsOf = ({ verb, what }: Call): string => `${verb === 'other' ? 'read' : verb} ${what}`

const asksToComeBack = (refused: ApiError): boolean =>
  !isOverBudget(refused) &&
  (refused.status === 429 || (refused.status >= 500 && refused.retryAfterMs !== undefined))
