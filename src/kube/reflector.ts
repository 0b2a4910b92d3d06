import type { ApiKind, ObjectOf } from '#api/meta.ts'
import { type Backoff, delayMs } from '#base/backoff.ts'
import { type Clock, sleep } from '#base/clock.ts'
import { ApiError, isTooOld } from './api-error.ts'
import { isSame, keyOf, type ObjectCache } from './cache.ts'
import type { KubeClient, Selection } from './client.ts'
import { readWatch, type WatchEvent } from './watch-stream.ts'

/** What a reflector is doing, for logs, metrics and readiness. */
export type ReflectorState =
  /** Everything was listed; the cache is as the server is. */
  | { state: 'listed'; objects: number; why: 'start' | 'tooOld' | 'resync' }
  /** The watch is open: from here on every change is seen. */
  | { state: 'watching' }
  /** The watch ended, as each does after some minutes, and goes on from where it ended. */
  | { state: 'resumed' }
  /** It did not work, and is tried again after a while. What is in the cache stays. */
  | { state: 'failed'; failures: number; retryMs: number; error: unknown }
  /** The server does not serve the kind, so there are no objects of it. It is asked again now and then. */
  | { state: 'missing' }
  /** Something here threw over one object, which is kept as it came. */
  | { state: 'troubled'; key: string; error: unknown }

export interface ReflectorOptions<K extends ApiKind> {
  client: Pick<KubeClient, 'listAs' | 'openWatch'>
  clock: Clock
  kind: K
  selection?: Selection
  cache: ObjectCache<ObjectOf<K>>
  /** Makes of an object what is worth keeping of it. It may change the object. */
  project?: (object: ObjectOf<K>) => ObjectOf<K>
  /** Whether it is no failure that the server does not serve the kind. */
  mayBeMissing?: boolean
  onState?: (state: ReflectorState) => void
  timing?: Partial<Timing>
  /** Waits after a failure, for so long or as it sees fit. Never rejects, and ends when the signal aborts. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>
  /** Yields 0 to 1, to spread what would otherwise happen to many at once. */
  random?: () => number
}

interface Timing {
  /** After how long a server is asked to end a watch, so that no connection lives for ever. */
  watchSeconds: number
  /** How long a watch may be silent. Servers send a bookmark about every minute. */
  silenceMs: number
  /** How often everything is listed again, in case an event was lost. */
  resyncMs: number
  /** A watch that ends sooner than this was refused, however politely. */
  shortestWatchMs: number
  /** How often a kind is asked for that is not served. */
  missingMs: number
  backoff: Backoff
}

const USUAL: Timing = {
  watchSeconds: 5 * 60,
  silenceMs: 150_000,
  resyncMs: 60 * 60_000,
  shortestWatchMs: 1_000,
  missingMs: 30_000,
  backoff: { firstMs: 500, mostMs: 30_000, jitter: 0.5 },
}

class FellSilent extends Error {
  constructor(silenceMs: number) {
    super(`nothing for ${silenceMs / 1e3} s`)
  }
}

/**
 * Keeps a cache as the server is: lists in pages, then watches, resumes where a watch ended, lists
 * again when it cannot resume, and never gives up. A list is compared with what is in the cache, so
 * that listeners hear of what differs only.
 */
export class Reflector<K extends ApiKind> {
  readonly #options: ReflectorOptions<K>
  readonly #timing: Timing
  readonly #random: () => number
  /** Where to go on from. Undefined: nothing is known, list. */
  #version: string | undefined
  #listedAtMs = 0
  #why: 'start' | 'tooOld' | 'resync' = 'start'
  /** Whether a watch has lived for a while since the last failure: then the next one is the first. */
  #hasLived = false
  #isMissing = false
  /** Whether the last answer was that the kind is not served, though there are objects of it. */
  #isDoubted = false

  constructor(options: ReflectorOptions<K>) {
    this.#options = options
    this.#timing = { ...USUAL, ...options.timing }
    this.#random = options.random ?? Math.random
  }

  /** Up to which version everything is in the cache. Empty: nothing is known. */
  get version(): string {
    return this.#version ?? ''
  }

  /** Runs until the signal aborts. Rejects never: what goes wrong is told and tried again. */
  async run(signal: AbortSignal): Promise<void> {
    let failures = 0
    while (!signal.aborted) {
      try {
        await this.#listIfNeeded(signal)
        await this.#watch(signal)
        this.#tell({ state: 'resumed' })
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        failures = await this.#failed(error, failures, signal)
      }
    }
  }

  /** Waits for a while, and says how many failures in a row it were. */
  async #failed(error: unknown, before: number, signal: AbortSignal): Promise<number> {
    if (this.#options.mayBeMissing && isNotServed(error)) {
      this.#notServed()
      await this.#pause(this.#timing.missingMs, signal)
      return 0
    }
    if (cannotGoOn(error)) this.#forgetVersion('tooOld')
    const failures = this.#hasLived ? 1 : before + 1
    this.#hasLived = false
    const retryMs = delayMs(this.#timing.backoff, failures, this.#random)
    this.#tell({ state: 'failed', failures, retryMs, error })
    await this.#pause(retryMs, signal)
    return failures
  }

  #pause(ms: number, signal: AbortSignal): Promise<void> {
    const { clock, pause } = this.#options
    return pause ? pause(ms, signal) : sleep(clock, ms, signal).catch(() => {})
  }

  async #listIfNeeded(signal: AbortSignal): Promise<void> {
    const { client, clock, kind, selection, cache } = this.#options
    const isDue = clock.monotonicMs() - this.#listedAtMs > this.#timing.resyncMs
    if (this.#version !== undefined && isDue) this.#forgetVersion('resync')
    if (this.#version !== undefined) return

    const { items, resourceVersion } = await client.listAs(kind, selection ?? {}, {
      signal,
      keep: (object) => this.#known(object) ?? this.#projected(object),
    })
    cache.replace(items, selection?.namespace)
    this.#isMissing = false
    this.#version = resourceVersion
    this.#listedAtMs = clock.monotonicMs()
    this.#tell({ state: 'listed', objects: items.length, why: this.#why })
  }

  /** Whatever is in between may say so once, too: what there is goes when it is said again. */
  #notServed(): void {
    const isSudden = this.#options.cache.size > 0 && !this.#isDoubted
    if (!isSudden) this.#emptied()
    this.#isDoubted = isSudden
  }

  /** With its definition all objects of a kind are gone. */
  #emptied(): void {
    const { cache, selection } = this.#options
    this.#version = undefined
    cache.replace([], selection?.namespace)
    if (!this.#isMissing) this.#tell({ state: 'missing' })
    this.#isMissing = true
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { client, clock, kind, selection } = this.#options
    const { watchSeconds, silenceMs, shortestWatchMs } = this.#timing
    const startMs = clock.monotonicMs()
    const timeoutSeconds = Math.round(watchSeconds * (1 + this.#random()))
    const from = { resourceVersion: this.#version ?? '', timeoutSeconds }
    const response = await client.openWatch(kind, { ...selection, ...from }, { signal })
    this.#isDoubted = false
    this.#tell({ state: 'watching' })

    const fallSilent = () => response.body.destroy(new FellSilent(silenceMs))
    let cancel = clock.after(silenceMs, fallSilent)
    try {
      for await (const events of readWatch<ObjectOf<K>>(response)) {
        cancel()
        cancel = clock.after(silenceMs, fallSilent)
        for (const event of events) this.#take(event)
      }
    } finally {
      cancel()
      response.body.destroy()
      this.#hasLived = clock.monotonicMs() - startMs >= shortestWatchMs
    }
    if (!this.#hasLived) throw new Error('the API server ended the watch at once')
  }

  #take(event: WatchEvent<ObjectOf<K>>): void {
    const { cache } = this.#options
    if (event.type === 'ADDED' || event.type === 'MODIFIED')
      cache.put(this.#projected(event.object))
    if (event.type === 'DELETED') cache.drop(event.object)
    // Last: an event that could not be taken is asked for again.
    this.#version = event.object.metadata.resourceVersion
  }

  /** The object as it is kept already, so that a list does not hold everything twice. */
  #known(object: ObjectOf<K>): ObjectOf<K> | undefined {
    const kept = this.#options.cache.get(keyOf(object))
    return kept && isSame(object, kept) ? kept : undefined
  }

  #forgetVersion(why: 'tooOld' | 'resync'): void {
    // Before the first list there is nothing to forget.
    if (this.#version !== undefined) this.#why = why
    this.#version = undefined
  }

  #projected(object: ObjectOf<K>): ObjectOf<K> {
    try {
      return this.#options.project?.(object) ?? object
    } catch (error) {
      this.#tell({ state: 'troubled', key: keyOf(object), error })
      return object
    }
  }

  #tell(state: ReflectorState): void {
    try {
      this.#options.onState?.(state)
    } catch {
      // Whoever is told is also who would be told of this.
    }
  }
}

/** Nothing else is answered like this to who lists or watches. */
const isNotServed = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/**
 * Whether there is no way on from the version that we have: it is too old, or (after a restore of the
 * server) too new, or what follows it cannot be read. A new list costs little and tells only news.
 */
const cannotGoOn = (error: unknown): boolean =>
  isTooOld(error) ||
  error instanceof FellSilent ||
  (error instanceof ApiError && ['Garbled', 'Timeout'].includes(error.reason))
