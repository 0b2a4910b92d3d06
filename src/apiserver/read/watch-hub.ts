import type { Resource } from '#apiserver/resource.ts'
import type { Change, Store } from '#apiserver/store/store.ts'
import { collectionOf, prefixOf } from '#apiserver/stored-object.ts'
import type { Clock } from '#base/clock.ts'
import { eventOf, type View } from './watch-events.ts'

/** Takes the bytes of events; those of one commit come together. Undefined: they could not be made. */
export type Outlet = (events: Buffer | undefined) => void

/** Watchers that see the same, so that an event is made once for all of them. */
interface Channel {
  view: View
  prefix: string
  outlets: Set<Outlet>
}

/**
 * Hands changes to watchers as soon as they are durable: made into bytes once per view, not once per
 * watcher, and all changes of a commit at once.
 */
export class WatchHub {
  readonly #clock: Clock
  readonly #collections = new Map<string, Map<string, Channel>>()
  readonly #numbers = new WeakMap<Resource, number>()
  readonly #stop: () => void
  #next = 1

  constructor(store: Store, clock: Clock) {
    this.#clock = clock
    this.#stop = store.onChanges((changes) => this.#tell(changes))
  }

  /** From the next commit on. Returns a way to stop. */
  subscribe(view: View, outlet: Outlet): () => void {
    const collection = collectionOf(view.resource)
    const channels = this.#collections.get(collection) ?? new Map<string, Channel>()
    this.#collections.set(collection, channels)
    const id = this.#idOf(view)
    const channel = channels.get(id) ?? {
      view,
      prefix: prefixOf(view.resource, view.namespace),
      outlets: new Set<Outlet>(),
    }
    channels.set(id, channel)
    channel.outlets.add(outlet)
    return () => {
      channel.outlets.delete(outlet)
      if (channel.outlets.size === 0 && channels.get(id) === channel) channels.delete(id)
      if (channels.size === 0) this.#collections.delete(collection)
    }
  }

  dispose(): void {
    this.#stop()
    this.#collections.clear()
  }

  // A kind that was defined anew may look different: its watchers do not share with the old ones'.
  #idOf({ resource, namespace, selection, as, include, columns }: View): string {
    if (columns) return `own ${this.#next++}`
    const number = this.#numbers.get(resource) ?? this.#next++
    this.#numbers.set(resource, number)
    return [number, namespace, as, include, selection.id].join('\n')
  }

  #tell(changes: readonly Change[]): void {
    if (this.#collections.size === 0) return
    const now = this.#clock.now()
    for (const [collection, own] of byCollection(changes)) {
      for (const channel of this.#collections.get(collection)?.values() ?? []) {
        tell(channel, own, now)
      }
    }
  }
}

function tell({ view, prefix, outlets }: Channel, changes: Change[], now: Date): void {
  const own = changes.filter(({ key }) => key.startsWith(prefix))
  const events = eventsOf(view, own, now)
  if (events?.length === 0) return
  for (const outlet of outlets) outlet(events)
}

/** What cannot be shown in one view must not keep others from their events. */
function eventsOf(view: View, changes: Change[], now: Date): Buffer | undefined {
  try {
    return Buffer.concat(changes.flatMap((change) => eventOf(view, change, now)))
  } catch {
    return undefined
  }
}

function byCollection(changes: readonly Change[]): Map<string, Change[]> {
  const groups = new Map<string, Change[]>()
  for (const change of changes) {
    const collection = /^[^/]*\/[^/]*\//.exec(change.key)?.[0] ?? ''
    const group = groups.get(collection)
    if (group) group.push(change)
    else groups.set(collection, [change])
  }
  return groups
}
