import { Readable } from 'node:stream'
import type { CarriedRequest, Carry, Response } from '#kube/access.ts'
import { OldLists, type Oldness } from './faults-old-lists.ts'
import { FaultyWatch } from './faults-watch.ts'
import { isWatch, placeIn } from './request-place.ts'

/** What a server may say instead of doing what it is asked for. */
export const REFUSALS = [
  { code: 409, reason: 'Conflict' },
  { code: 429, reason: 'TooManyRequests' },
  { code: 500, reason: 'InternalError' },
  { code: 503, reason: 'ServiceUnavailable' },
] as const

type Refusal = (typeof REFUSALS)[number]

// A create that is refused so would say that there is such an object.
const ONLY_OF_CHANGES = 409

/** What can be wrong with the view that an operator has of its API, and with what it writes there. */
export class ApiFaults {
  readonly #watches = new Set<FaultyWatch>()
  /** Whoever watches these again lacks an event that came before. */
  readonly #missed = new Set<string>()
  readonly #lists: OldLists
  #held = 0
  #refusals: Refusal[] = []

  constructor(nowMs: () => number) {
    this.#lists = new OldLists(nowMs)
  }

  /** Events are held back, those of watches that are opened meanwhile too. The answer lets them all go. */
  holdEvents(): () => void {
    this.#held++
    for (const watch of this.#watches) watch.hold()
    return () => {
      this.#held--
      if (this.#held > 0) return
      for (const watch of this.#watches) watch.letGo()
    }
  }

  /** The next event of each watch never comes. The answer ends those watches: they have missed something. */
  dropEvents(): () => void {
    const dropping = [...this.#watches]
    for (const watch of dropping) watch.dropNext()
    return () => {
      for (const watch of dropping) watch.expireIfDropped()
    }
  }

  cutWatches(): void {
    for (const watch of this.#watches) watch.cut()
  }

  /** Whoever watches has to list again. */
  expireWatches(): void {
    for (const watch of this.#watches) watch.expire()
  }

  /** Whoever lists again is told what was so before. The answer ends it. */
  serveOldLists(oldness: Oldness = {}): () => void {
    return this.#lists.serve(oldness)
  }

  /** So many of the next writes are refused. */
  refuse(refusal: Refusal, times: number): void {
    for (let at = 0; at < times; at++) this.#refusals.push(refusal)
  }

  /** Nothing is wrong any more, and whoever was told something else will hear. */
  calm(): void {
    this.#refusals = []
  }

  through(onward: Carry): Carry {
    return (request) => {
      if (isWatch(request)) return this.#watch(request, onward)
      if (request.method !== 'GET') return this.#write(request, onward)
      return placeIn(request.url).name === undefined
        ? this.#lists.through(request, onward)
        : onward(request)
    }
  }

  async #watch(request: CarriedRequest, onward: Carry): Promise<Response> {
    const response = await onward(request)
    if (response.status !== 200) return response
    const path = request.url.pathname
    const watch = new FaultyWatch(response.body, () => {
      this.#watches.delete(watch)
      if (watch.hasMissed) this.#missed.add(path)
    })
    this.#watches.add(watch)
    if (this.#missed.delete(path)) watch.expire()
    if (this.#held > 0) watch.hold()
    return { ...response, body: watch.body }
  }

  async #write(request: CarriedRequest, onward: Carry): Promise<Response> {
    const found = this.#refusals.find(
      ({ code }) => code !== ONLY_OF_CHANGES || request.method !== 'POST',
    )
    if (!found) return onward(request)
    this.#refusals.splice(this.#refusals.indexOf(found), 1)
    return refused(found)
  }
}

function refused({ code, reason }: Refusal): Response {
  const body = {
    ...{ apiVersion: 'v1', kind: 'Status', status: 'Failure', code, reason },
    message: 'so that we see what comes of it',
  }
  const headers = {
    'content-type': 'application/json',
    ...(code === 429 && { 'retry-after': '1' }),
  }
  return { status: code, headers, body: Readable.from([Buffer.from(JSON.stringify(body))]) }
}
