import { randomInt } from 'node:crypto'
import { Expired, type Store } from '#apiserver/store/store.ts'
import { prefixOf } from '#apiserver/stored-object.ts'
import type { Cancel, Clock } from '#base/clock.ts'
import { tooNew } from './list-options.ts'
import { bookmarkOf, eventOf, initialEventOf, type View } from './watch-events.ts'
import type { WatchHub } from './watch-hub.ts'
import { tooOld, type WatchOptions } from './watch-options.ts'

/** Where the bytes of a watch go. */
export interface Sink {
  /** False when the other end does not keep up; `drained` then tells when it does again. */
  write(bytes: Buffer): boolean
  drained(): Promise<void>
  /** How many bytes wait to be taken by the other end. */
  pendingBytes(): number
  isClosed(): boolean
  /** Nothing more comes. */
  end(): void
  /** The other end does not keep up: it is cut off, and must start over. */
  destroy(): void
}

/** What a watch is fed by. */
export interface Feed {
  store: Store
  hub: WatchHub
  clock: Clock
}

// A watcher that is this far behind is served cheaper by a new list.
const MOST_PENDING_BYTES = 16 * 1024 * 1024
const BOOKMARK_EVERY_MS = 60_000
const PIECE_BYTES = 128 * 1024
// Watches that nobody limits end at different times, or all clients would come back at once.
const [SHORTEST_SECONDS, LONGEST_SECONDS] = [1800, 3600]

/**
 * Follows a view: what is there, if that is asked for, then every change, in order and without a gap,
 * until its time is over, it is stopped, or the other end does not keep up.
 */
export class WatchStream {
  readonly #feed: Feed
  readonly #view: View
  readonly #sink: Sink
  readonly #cancels: Cancel[] = []
  /** What comes while the beginning is still being sent. */
  #waiting: Buffer[] | undefined = []
  #waitingBytes = 0

  constructor(feed: Feed, view: View, sink: Sink) {
    this.#feed = feed
    this.#view = view
    this.#sink = sink
  }

  /** Fails, before anything is sent, when changes are asked for that are no longer remembered. */
  start(options: WatchOptions): void {
    const { store, clock } = this.#feed
    const beginning = this.#beginning(options)
    if (options.since > store.revision) this.#waitFor(options.since)
    else this.#subscribe()
    if (options.bookmarks) this.#bookmarkLater()
    const seconds = options.timeoutSeconds ?? randomInt(SHORTEST_SECONDS, LONGEST_SECONDS)
    const end = () => this.#end(options.bookmarks)
    this.#cancels.push(clock.after(seconds * 1000, end))
    const revision = store.revision
    void this.#follow(beginning, options.marksEnd ? revision : undefined).catch(() =>
      this.#breakOff(),
    )
  }

  #subscribe(): void {
    const { hub } = this.#feed
    this.#cancels.push(hub.subscribe(this.#view, (events) => this.#sendOrBreakOff(events)))
  }

  /** A watcher that knows a later revision than there is, as of other days, is told of what comes after that. */
  #waitFor(since: number): void {
    const { store, clock } = this.#feed
    const prefix = prefixOf(this.#view.resource, this.#view.namespace)
    const stop = store.onChanges((changes) => {
      if (store.revision < since) return
      stop()
      const later = changes.filter(
        ({ key, revision }) => revision > since && key.startsWith(prefix),
      )
      const events = later.flatMap((change) => eventOf(this.#view, change, clock.now()))
      if (events.length > 0) this.#send(Buffer.concat(events))
      this.#subscribe()
    })
    this.#cancels.push(stop)
  }

  #sendOrBreakOff(events: Buffer | undefined): void {
    if (events) this.#send(events)
    else this.#breakOff()
  }

  /** What cannot be shown, or is too much, is not skipped: the watcher starts over. */
  #breakOff(): void {
    this.stop()
    this.#sink.destroy()
  }

  /** The beginning, then what has come meanwhile; from then on everything goes right through. */
  async #follow(beginning: Iterable<Buffer[]>, endsAt: number | undefined): Promise<void> {
    await this.#pump(beginning)
    if (this.#sink.isClosed()) return
    if (endsAt !== undefined) this.#sink.write(bookmarkOf(this.#view, endsAt, true))
    for (const events of this.#waiting ?? []) this.#sink.write(events)
    this.#waiting = undefined
    this.#waitingBytes = 0
  }

  /** Sends nothing more. */
  stop(): void {
    for (const cancel of this.#cancels.splice(0)) cancel()
  }

  /** Ends it, so that the other end begins another one. */
  end(): void {
    this.stop()
    this.#sink.end()
  }

  /** Its time is over. */
  #end(saysWhere: boolean): void {
    if (saysWhere) this.#send(bookmarkOf(this.#view, this.#feed.store.revision, false))
    this.end()
  }

  /** The events that a watcher is told first; made as they are sent. */
  #beginning({ initial, since }: WatchOptions): Iterable<Buffer[]> {
    const { store, clock } = this.#feed
    const view = this.#view
    const prefix = prefixOf(view.resource, view.namespace)
    const now = clock.now()
    if (initial && since > store.revision) throw tooNew(since, store.revision)
    // From now on, or from a revision that is still to come.
    if (!initial && (since === 0 || since > store.revision)) return []
    if (initial) return mapped(store.list(prefix), (entry) => initialEventOf(view, entry, now))
    try {
      const changes = store.changesSince(since, prefix)
      return mapped(changes, (change) => eventOf(view, change, now))
    } catch (error) {
      throw error instanceof Expired ? tooOld(since, error.oldest) : error
    }
  }

  async #pump(beginning: Iterable<Buffer[]>): Promise<void> {
    let pieces: Buffer[] = []
    let bytes = 0
    for (const event of beginning) {
      for (const piece of event) {
        pieces.push(piece)
        bytes += piece.length
      }
      if (bytes < PIECE_BYTES) continue
      if (!this.#sink.write(Buffer.concat(pieces))) await this.#sink.drained()
      if (this.#sink.isClosed()) return
      pieces = []
      bytes = 0
    }
    if (pieces.length > 0) this.#sink.write(Buffer.concat(pieces))
  }

  #send(events: Buffer): void {
    if (this.#sink.isClosed()) return
    if (this.#waiting) {
      this.#waiting.push(events)
      this.#waitingBytes += events.length
    } else {
      this.#sink.write(events)
    }
    if (this.#waitingBytes + this.#sink.pendingBytes() >= MOST_PENDING_BYTES) this.#breakOff()
  }

  #bookmarkLater(): void {
    const cancel = this.#feed.clock.after(BOOKMARK_EVERY_MS, () => {
      this.#cancels.splice(this.#cancels.indexOf(cancel), 1)
      this.#send(bookmarkOf(this.#view, this.#feed.store.revision, false))
      this.#bookmarkLater()
    })
    this.#cancels.push(cancel)
  }
}

function* mapped<From, To>(items: Iterable<From>, map: (item: From) => To): Iterable<To> {
  for (const item of items) yield map(item)
}
