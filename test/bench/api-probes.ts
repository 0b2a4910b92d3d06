import { get } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import type { SecureContext } from 'node:tls'
import { messageOf } from '#base/operator-error.ts'

const EVERY_MS = 100
const ANSWERED_WITHIN_MS = 1_000
// Whoever reads an object of etcd's knows that it answers, and not only the server before it.
const PATH = '/api/v1/namespaces/default'

/** What was asked once, and what came of it. */
export interface Probe {
  atMs: number
  tookMs: number
  /** Whom. Undefined: nobody said in time who could be. */
  address: string | undefined
  /** Undefined: it was answered. */
  failure: string | undefined
}

interface Probing {
  /** Who asks, and by whom those who answer have to be known. */
  secureContext: SecureContext
  port: number
  /** Those who can be asked now. */
  survivors(): Promise<readonly string[]>
}

/** Asks API servers ten times a second, each time one of those that are there, in turn, until it is ended. */
export class ApiProbes {
  readonly #probing: Probing
  readonly #stop = new AbortController()
  readonly #probes: Promise<Probe>[] = []
  readonly #running: Promise<void>
  #turn = 0

  constructor(probing: Probing) {
    this.#probing = probing
    this.#running = this.#run()
  }

  /** All that was asked, in this order. */
  async end(): Promise<Probe[]> {
    this.#stop.abort()
    await this.#running
    return Promise.all(this.#probes)
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop
    for (let dueMs = performance.now(); !signal.aborted; dueMs += EVERY_MS) {
      await delay(Math.max(0, dueMs - performance.now()), undefined, { signal }).catch(() => {}) // ended
      if (!signal.aborted) this.#probes.push(this.#probe())
    }
  }

  /** A connection, a request and an answer. To find out whom to ask is no excuse for being late. */
  async #probe(): Promise<Probe> {
    const atMs = performance.now()
    const late = AbortSignal.timeout(ANSWERED_WITHIN_MS)
    let address: string | undefined
    try {
      address = await this.#next(late)
      await answerOf(address, this.#probing, late)
      return { atMs, tookMs: performance.now() - atMs, address, failure: undefined }
    } catch (error) {
      return { atMs, tookMs: performance.now() - atMs, address, failure: messageOf(error) }
    }
  }

  async #next(late: AbortSignal): Promise<string> {
    const survivors = await inTime(this.#probing.survivors(), late)
    const address = survivors[this.#turn++ % survivors.length]
    if (address === undefined) throw new Error('all are down')
    return address
  }
}

const inTime = <Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    promise.then(resolve, reject)
  })

const answerOf = (
  host: string,
  { port, secureContext }: Probing,
  signal: AbortSignal,
): Promise<void> =>
  new Promise((resolve, reject) => {
    get({ ...{ host, port, secureContext, signal }, agent: false, path: PATH }, (response) => {
      response.once('error', reject)
      response.once('end', () => {
        if (response.statusCode === 200) resolve()
        else reject(new Error(`HTTP ${response.statusCode}`))
      })
      response.resume()
    }).once('error', reject)
  })
