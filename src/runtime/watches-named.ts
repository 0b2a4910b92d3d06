import { sleep } from '#base/clock.ts'
import { onAbort } from '#base/on-abort.ts'
import type { Selection } from '#kube/client.ts'
import type { NamedObject } from './fetch-any-object.ts'
import { type Follower, type NamedTools, NamedWatch } from './watches-named-kind.ts'

// How often those are woken whose objects cannot be watched: it may be forbidden.
const UNWATCHED_MS = 60_000
// Each is a connection. Whoever comes later is woken as if theirs could not be watched.
const MOST_WATCHES = 200

// What has a meaning in a selector, and none in a name.
const escaped = (name: string): string => name.replace(/[\\,=]/g, '\\$&')

interface Options extends NamedTools {
  /** Where to look. Empty: everywhere. */
  namespaces: readonly string[]
}

interface Followed {
  watch: string
  name: string
  follower: Follower
}

/**
 * Watches of objects that resources name and that no cache shows: of a kind while anybody names an object
 * of it, and of ConfigMaps each by its name, because nobody gets a copy of all of them.
 */
export class NamedWatches {
  readonly #options: Options
  readonly #watches = new Map<string, NamedWatch>()
  /** By their watch. */
  readonly #stops = new Map<string, AbortController>()
  readonly #running = new Set<Promise<void>>()
  /** By who depends on them. */
  readonly #followed = new Map<string, readonly Followed[]>()
  #signal: AbortSignal | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** How many watches there are. */
  get size(): number {
    return this.#stops.size
  }

  /** From now on these are what somebody depends on, who is woken when one of them is another. */
  follow(
    who: string,
    objects: readonly NamedObject[],
    { namespace, wake }: Pick<Follower, 'namespace' | 'wake'>,
  ): void {
    const before = this.#followed.get(who) ?? []
    const now = objects.map((object): Followed => {
      const follower = { namespace, wake, ...(object.part && { part: object.part }) }
      return { watch: this.#watchFor(object, namespace), name: object.name, follower }
    })
    for (const { watch, name, follower } of now) this.#watches.get(watch)?.add(name, follower)
    if (now.length > 0) this.#followed.set(who, now)
    else this.#followed.delete(who)
    // Last, so that what stays is not ended in between.
    for (const one of before) this.#leave(one)
    this.#startSome()
  }

  /** Nobody is woken any more on behalf of this one. */
  forget(who: string): void {
    this.follow(who, [], { namespace: '', wake: () => {} })
  }

  /** Watches until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal
    this.#startSome()
    while (!signal.aborted) {
      await sleep(this.#options.clock, UNWATCHED_MS, signal).catch(() => {})
      if (signal.aborted) break
      for (const watch of this.#watches.values()) if (!watch.isWell) watch.wakeAll()
    }
    await Promise.all(this.#running)
  }

  /** The id of the watch that shows an object. */
  #watchFor({ apiVersion, kind, name }: NamedObject, namespace: string): string {
    const isByName = apiVersion === 'v1' && kind === 'ConfigMap'
    const isDivided = isByName || this.#options.namespaces.length > 0
    const selection: Selection = {
      ...(isDivided && { namespace }),
      ...(isByName && { fieldSelector: `metadata.name=${escaped(name)}` }),
    }
    const id = JSON.stringify([apiVersion, kind, selection])
    if (!this.#watches.has(id)) {
      this.#watches.set(id, new NamedWatch({ apiVersion, kind, selection }, this.#options))
    }
    return id
  }

  #leave({ watch: id, name, follower }: Followed): void {
    const watch = this.#watches.get(id)
    watch?.remove(name, follower)
    if (!watch || watch.hasFollowers) return
    this.#watches.delete(id)
    this.#stops.get(id)?.abort()
    this.#stops.delete(id)
  }

  #startSome(): void {
    const signal = this.#signal
    if (!signal || signal.aborted) return
    for (const [id, watch] of this.#watches) {
      if (this.#stops.size >= MOST_WATCHES) return
      if (!this.#stops.has(id)) this.#start(id, watch, signal)
    }
  }

  #start(id: string, watch: NamedWatch, signal: AbortSignal): void {
    const stop = new AbortController()
    const unlink = onAbort(signal, () => stop.abort(signal.reason))
    this.#stops.set(id, stop)
    const running = watch.run(stop.signal).finally(() => {
      unlink()
      this.#running.delete(running)
    })
    this.#running.add(running)
  }
}
