import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import { Failure, failureOf } from './failure.ts'
import { type BodyFault, type Reply, send } from './reply.ts'
import { WatchOutlet } from './watch-outlet.ts'

/** Whether a request is meant. The path has its query. */
export type Match = (method: string, path: string) => boolean

/** Ends what was switched on. */
export type Off = () => void

interface AnswerFault {
  /** Every request, unless told. */
  match?: Match
  status: number
  /** What the status usually means, unless told. */
  reason?: string
  /** Seconds. */
  retryAfter?: number
  /** How often; for ever, unless told. */
  times?: number
}

interface LoggedRequest {
  method: string
  /** With its query. */
  path: string
  /** The bearer token, or the name in the client certificate; empty if there was neither. */
  user: string
  /** Milliseconds since the epoch. */
  when: number
}

/** What only the server itself can do. */
interface Parts {
  listen(on: boolean): Promise<unknown>
  forget(): void | Promise<void>
}

/**
 * How a server is made to misbehave: one that asks this for every request, be it the API itself or
 * one in front of it. Everything can be switched at any time.
 */
export class Faults {
  /** Every request so far, those that were refused too. */
  readonly log: LoggedRequest[] = []
  readonly #parts: Parts
  readonly #watches = new Set<WatchOutlet>()
  readonly #answers = new Set<AnswerFault>()
  readonly #texts = new Set<{ match: Match; text: string }>()
  readonly #delays = new Set<{ match: Match; ms: number }>()
  readonly #bodies = new Set<{ match: Match; fault: BodyFault }>()
  readonly #pageCallbacks = new Set<() => unknown>()
  #hangUps = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** How many watches are open. */
  get watchers(): number {
    return this.#watches.size
  }

  /** Refuses matching requests, before anything is done. */
  answer(fault: AnswerFault): Off {
    return including(this.#answers, { ...fault })
  }

  /** Answers matching requests with 200 and this text, whatever was asked. */
  say(match: Match, text: string): Off {
    return including(this.#texts, { match, text })
  }

  /** Serves matching requests late; with Infinity, never. */
  delay(match: Match, ms: number): Off {
    return including(this.#delays, { match, ms })
  }

  /** Does what is asked for, and begins the answer well; then the rest of its body is spoilt. */
  spoilBodies(match: Match, fault: BodyFault): Off {
    return including(this.#bodies, { match, fault })
  }

  /** Calls back before each further page of a list is made. */
  betweenPages(callback: () => unknown): Off {
    return including(this.#pageCallbacks, callback)
  }

  /** Breaks the connections of the open watches. */
  dropWatches(): void {
    for (const watch of this.#watches) watch.break()
  }

  /** Ends the open watches cleanly, as a server does after a while. */
  endWatches(): void {
    for (const watch of this.#watches) {
      this.#watches.delete(watch)
      watch.end()
    }
  }

  /** Keeps the connections of the open watches, and sends nothing on them ever after. */
  freezeWatches(): void {
    for (const watch of this.#watches) watch.freeze()
  }

  /** Each open watch misses the next event that it should get. */
  loseNextWatchEvent(): void {
    for (const watch of this.#watches) watch.missNext()
  }

  /** Sends the text as it is on all open watches: garbage, half an event, an ERROR. */
  async sendOnWatches(text: string): Promise<void> {
    await Promise.all([...this.#watches].map((watch) => watch.sendText(text)))
  }

  /** Forgets the history: every version and every continue token so far is too old. */
  async compact(): Promise<void> {
    await this.#parts.forget()
  }

  /** While on, nobody listens on the port, and all connections are broken. */
  async refuseConnections(on: boolean): Promise<void> {
    await this.#parts.listen(!on)
  }

  /** The next writes that succeed are done, but their answers are lost. */
  hangUpAfterWrite(times: number): void {
    this.#hangUps = times
  }

  /**
   * For the server: answers a request with what `serve` yields (nothing, where a watch took over) or
   * throws, except for what was asked for above. Never rejects.
   */
  async around(
    request: IncomingMessage,
    response: ServerResponse,
    serve: () => Promise<Reply | undefined>,
  ): Promise<void> {
    const { method = '', url: path = '' } = request
    this.log.push({ method, path, user: userOf(request), when: Date.now() })
    const said = find(this.#texts, method, path)
    const spoilt = find(this.#bodies, method, path)
    try {
      await this.#before(method, path, response)
      // Who gave up waiting is not served behind his back.
      if (response.destroyed) return
      const reply = said ? { code: 200, body: said.text } : await serve()
      if (method !== 'GET' && reply && this.#takeHangUp(reply)) response.destroy()
      else if (reply) await send(response, reply, spoilt?.fault)
    } catch (error) {
      await send(response, replyOf(failureOf(error)))
    }
  }

  /** For the server: begins to answer a watch. */
  openWatch(response: ServerResponse): WatchOutlet {
    const watch = new WatchOutlet(response)
    this.#watches.add(watch)
    watch.onClose(() => this.#watches.delete(watch))
    return watch
  }

  async #before(method: string, path: string, response: ServerResponse): Promise<void> {
    for (const { match, ms } of this.#delays) {
      if (match(method, path)) await unlessClosed(response, ms)
    }
    for (const fault of this.#answers) {
      if (!(fault.match?.(method, path) ?? true)) continue
      if (fault.times !== undefined && --fault.times <= 0) this.#answers.delete(fault)
      throw refusal(fault)
    }
    if (!/[?&]continue=[^&]/.test(path)) return
    for (const callback of this.#pageCallbacks) await callback()
  }

  #takeHangUp({ code }: Reply): boolean {
    return code < 300 && this.#hangUps > 0 && this.#hangUps-- > 0
  }
}

function userOf({ headers, socket }: IncomingMessage): string {
  const [, token] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? []
  const peer = socket instanceof TLSSocket ? socket.getPeerCertificate() : undefined
  return token ?? String(peer?.subject?.CN ?? '')
}

function including<Item>(set: Set<Item>, item: Item): Off {
  set.add(item)
  return () => set.delete(item)
}

const find = <Fault extends { match: Match }>(
  faults: Set<Fault>,
  method: string,
  path: string,
): Fault | undefined => [...faults].find(({ match }) => match(method, path))

/** Waits, unless the client goes away before. */
async function unlessClosed(response: ServerResponse, ms: number): Promise<void> {
  const closed = new AbortController()
  response.once('close', () => closed.abort())
  // Longer ones would overflow and be over at once.
  const waiting = delay(Math.min(ms, 2 ** 31 - 1), undefined, { ref: false, signal: closed.signal })
  await waiting.catch(() => {})
}

const refusal = ({ status, reason, retryAfter }: AnswerFault): Failure =>
  new Failure(status, 'a test wants this request to fail', {
    ...(reason && { reason }),
    details: { ...(retryAfter !== undefined && { retryAfterSeconds: retryAfter }) },
  })

function replyOf({ code, status }: Failure): Reply {
  const { retryAfterSeconds } = Object(status.details)
  const headers = { 'retry-after': String(retryAfterSeconds) }
  return { code, body: status, ...(retryAfterSeconds !== undefined && { headers }) }
}
