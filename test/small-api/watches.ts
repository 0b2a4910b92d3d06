import type { ServerResponse } from 'node:http'
import { Failure } from '#test/misbehaving/failure.ts'
import type { WatchOutlet } from '#test/misbehaving/watch-outlet.ts'
import { invalid } from './failure.ts'
import { numberIn, selectionOf } from './lists.ts'
import type { Fields, KubeObject } from './objects.ts'
import { apiVersionOf, type Target } from './resources.ts'
import { type Change, type Store, withVersion } from './store.ts'

interface Watcher {
  target: Target
  outlet: WatchOutlet
  accepts(object: KubeObject | undefined): boolean
  wantsBookmarks: boolean
  /** Only what happens after this version is sent. */
  from: number
}

/** How a watch from a version that is forgotten, or not yet reached, is answered. */
export interface Expiry {
  as: 'event' | 'status'
  /** A real API server stays silent until the version is reached. */
  future: 'silence' | 'gone'
}

/** The open watches. */
export class Watches {
  readonly #store: Store
  readonly #begin: (response: ServerResponse) => WatchOutlet
  readonly #open = new Set<Watcher>()
  expiry: Expiry = { as: 'event', future: 'silence' }

  constructor(store: Store, begin: (response: ServerResponse) => WatchOutlet) {
    this.#store = store
    this.#begin = begin
    store.subscribe((change) => {
      for (const watcher of this.#open) deliver(watcher, change)
    })
  }

  /** Answers with a stream of events, which ends when the client or `timeoutSeconds` says so. */
  start(target: Target, query: URLSearchParams, response: ServerResponse): undefined {
    checkOptions(query)
    const from = numberIn(query, 'resourceVersion')
    const isFromNow = from === 0 || query.get('sendInitialEvents') === 'true'
    const expiry = isFromNow ? undefined : this.#expiryOf(from)
    if (expiry && this.expiry.as === 'status') throw expiry

    const selects = selectionOf(target, query)
    const watcher: Watcher = {
      target,
      outlet: this.#begin(response),
      accepts: (object) => object !== undefined && selects(object),
      wantsBookmarks: query.get('allowWatchBookmarks') === 'true',
      from: isFromNow ? this.#store.version : from,
    }
    if (expiry) {
      watcher.outlet.send(line('ERROR', expiry.status))
      watcher.outlet.end()
      return
    }
    this.#follow(watcher, isFromNow)
    if (query.get('sendInitialEvents') === 'true') this.#bookmark(watcher, true)
    this.#endAfter(watcher, numberIn(query, 'timeoutSeconds'))
  }

  /** Sends bookmarks to the watches that asked for them; a real server does so every minute. */
  bookmark(): void {
    for (const watcher of this.#open) this.#bookmark(watcher)
  }

  #expiryOf(from: number): Failure | undefined {
    const { forgotten, version } = this.#store
    const isGone = from < forgotten || (from > version && this.expiry.future === 'gone')
    return isGone ? new Failure(410, `too old resource version: ${from} (${forgotten})`) : undefined
  }

  #follow(watcher: Watcher, isFromNow: boolean): void {
    const { resource } = watcher.target
    if (isFromNow) {
      for (const object of this.#store.listAt(resource, this.#store.version) ?? []) {
        if (watcher.accepts(object)) watcher.outlet.send(line('ADDED', object))
      }
    }
    for (const change of this.#store.since(resource, watcher.from) ?? []) deliver(watcher, change)
    this.#open.add(watcher)
    watcher.outlet.onClose(() => this.#open.delete(watcher))
  }

  #bookmark({ target, outlet, wantsBookmarks }: Watcher, isInitial = false): void {
    if (!wantsBookmarks) return
    const resourceVersion = String(this.#store.version)
    const annotations = { 'k8s.io/initial-events-end': 'true' }
    const { kind } = target.resource
    const apiVersion = apiVersionOf(target.resource)
    const metadata = { resourceVersion, ...(isInitial && { annotations }) }
    outlet.send(line('BOOKMARK', { kind, apiVersion, metadata }))
  }

  #endAfter(watcher: Watcher, seconds: number): void {
    if (seconds === 0) return
    const timer = setTimeout(() => {
      this.#bookmark(watcher)
      watcher.outlet.end()
    }, seconds * 1000)
    watcher.outlet.onClose(() => clearTimeout(timer))
  }
}

function checkOptions(query: URLSearchParams): void {
  const isInitial = query.get('sendInitialEvents') === 'true'
  const hasMatch = query.get('resourceVersionMatch') === 'NotOlderThan'
  if (isInitial === hasMatch) return
  const message = isInitial
    ? 'Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'
    : 'Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'
  throw invalid({ kind: 'ListOptions', group: 'meta.k8s.io' }, 'resourceVersionMatch', message)
}

function deliver(watcher: Watcher, { version, resource, before, after }: Change): void {
  if (watcher.target.resource !== resource || version <= watcher.from) return
  const was = watcher.accepts(before)
  const is = watcher.accepts(after)
  if (!was && !is) return
  // Who no longer sees an object gets it as it last was, so that its own selector still matches.
  const gone = before && withVersion(before, version)
  const text = is ? line(was ? 'MODIFIED' : 'ADDED', after ?? {}) : line('DELETED', gone ?? {})
  watcher.outlet.send(text)
}

const line = (type: string, object: Fields): string => `${JSON.stringify({ type, object })}\n`
