import { Readable } from 'node:stream'
import type { ApiKind } from '#api/meta.ts'
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

const BROKEN = { code: 500, reason: 'InternalError' } as const

// A create that is refused so would say that there is such an object.
const ONLY_OF_CHANGES = 409

/** What can be wrong with the view that an operator has of its API, and with what it writes there. */
export class ApiFaults {
  /** Those that are open, and what is watched. */
  readonly #watches = new Map<FaultyWatch, string>()
  /** Whoever watches these again lacks an event that came before. */
  readonly #missed = new Set<string>()
  readonly #lists: OldLists
  readonly #held = new Set<{ of?: ApiKind }>()
  readonly #broken = new Set<string>()
  #refusals: Refusal[] = []

  constructor(nowMs: () => number) {
    this.#lists = new OldLists(nowMs)
  }

  /**
   * Events are held back, those of watches that are opened meanwhile too; of one kind, if one is said. The answer lets
   * them all go.
   */
  holdEvents(which: { of?: ApiKind } = {}): () => void {
    const own = { ...which }
    this.#held.add(own)
    this.#holdOrLetGo()
    return () => {
      this.#held.delete(own)
      this.#holdOrLetGo()
    }
  }

  #holdOrLetGo(): void {
    for (const [watch, kind] of this.#watches) {
      if (this.#isHeld(kind)) watch.hold()
      else watch.letGo()
    }
  }

  #isHeld(kind: string): boolean {
    return [...this.#held].some(({ of }) => of === undefined || of.plural === kind)
  }

  /** The next event of each watch never comes. The answer ends those watches: they have missed something. */
  dropEvents(): () => void {
    const dropping = [...this.#watches.keys()]
    for (const watch of dropping) watch.dropNext()
    return () => {
      for (const watch of dropping) watch.expireIfDropped()
    }
  }

  cutWatches(): void {
    for (const watch of this.#watches.keys()) watch.cut()
  }

  /** Whoever watches has to list again. */
  expireWatches(): void {
    for (const watch of this.#watches.keys()) watch.expire()
  }

  /** Whoever lists again is told what was so before. The answer ends it. */
  serveOldLists(oldness: Oldness = {}): () => void {
    return this.#lists.serve(oldness)
  }

  /** So many of the next writes are refused. */
  refuse(refusal: Refusal, times: number): void {
    for (let at = 0; at < times; at++) this.#refusals.push(refusal)
  }

  /** Whatever is asked of a kind fails, as if its conversion webhook were gone. The answer ends it. */
  breakKind({ plural }: ApiKind): () => void {
    this.#broken.add(plural)
    return () => this.#broken.delete(plural)
  }

  /** Nothing is wrong any more, and whoever was told something else will hear. */
  calm(): void {
    this.#refusals = []
  }

  through(onward: Carry): Carry {
    return (request) => {
      if (this.#broken.has(placeIn(request.url).kind)) return Promise.resolve(refused(BROKEN))
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
    const { kind } = placeIn(request.url)
    this.#watches.set(watch, kind)
    if (this.#missed.delete(path)) watch.expire()
    if (this.#isHeld(kind)) watch.hold()
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
