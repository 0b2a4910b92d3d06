import type { Fields } from '#apiserver/objects.ts'
import type { Resource } from '#apiserver/resource.ts'
import { type Entry, Expired, FutureRevision, type Store } from '#apiserver/store/store.ts'
import { keyOf, prefixOf, served } from '#apiserver/stored-object.ts'
import {
  continuationExpired,
  continueToken,
  type ListOptions,
  listExpired,
  tooNew,
} from './list-options.ts'
import type { Selection } from './selection.ts'

/** A page of a list: what is to be shown, and what is said about it. */
export interface Page {
  entries: Entry[]
  metadata: Fields
}

export interface Listing {
  resource: Resource
  /** Empty: all. */
  namespace: string
  selection: Selection
  options: ListOptions
}

/** Gives the event loop a turn when it is due. */
export type Pause = () => Promise<void>

// Parsing this many objects of 4 KB takes a millisecond or two.
const BETWEEN_PAUSES = 50

/** The page that is asked for, of one state of the store, however long it takes to go through it. */
export async function pageOf(store: Store, listing: Listing, pause: Pause): Promise<Page> {
  const { revision, all } = stateFor(store, listing)
  const { entries, seen } = await selected(listing, all, pause)
  const last = all[seen - 1]
  // Lists of custom kinds always say how they go on.
  const metadata: Fields = {
    ...(listing.resource.isCustom && { continue: '' }),
    resourceVersion: String(revision),
  }
  if (seen < all.length && last) {
    metadata.continue = continueToken({ revision, after: last.key })
    if (!listing.selection.matches) metadata.remainingItemCount = all.length - seen
  }
  return { entries, metadata }
}

/** As many as are asked for, and how far that went. */
async function selected(
  { resource, selection, options }: Listing,
  all: Entry[],
  pause: Pause,
): Promise<{ entries: Entry[]; seen: number }> {
  const { limit = all.length } = options
  const { matches } = selection
  if (!matches) return { entries: all.slice(0, limit), seen: Math.min(limit, all.length) }
  const entries: Entry[] = []
  let seen = 0
  for (const entry of all) {
    if (entries.length === limit) break
    seen += 1
    if (matches(served(resource, entry))) entries.push(entry)
    if (seen % BETWEEN_PAUSES === 0) await pause()
  }
  return { entries, seen }
}

interface State {
  revision: number
  all: Entry[]
}

/** What there is to choose from, and as of when. */
function stateFor(store: Store, listing: Listing): State {
  const { from, atLeast, exactly } = listing.options
  if (atLeast > store.revision) throw tooNew(atLeast, store.revision)
  const at = from && from.revision >= 0 ? from.revision : exactly
  const known = at === undefined ? oneByName(store, listing) : undefined
  if (known) return known
  const all = remembered(store, listing, at)
  const rest = from ? all.slice(firstAfter(all, from.after)) : all
  return { revision: at ?? store.revision, all: rest }
}

/** Everything in the place that is listed, as of a revision. */
function remembered(store: Store, listing: Listing, at: number | undefined): Entry[] {
  try {
    return store.list(prefixOf(listing.resource, listing.namespace), at)
  } catch (error) {
    if (error instanceof FutureRevision) throw tooNew(at ?? 0, store.revision)
    if (!(error instanceof Expired)) throw error
    const { from } = listing.options
    throw from ? continuationExpired(from.after) : listExpired()
  }
}

/** One name in one namespace, or of a kind that has none, is one look. */
function oneByName(store: Store, { resource, namespace, selection }: Listing): State | undefined {
  if (!selection.name || (resource.namespaced && !namespace)) return undefined
  const entry = store.get(keyOf(resource, namespace, selection.name))
  return { revision: store.revision, all: entry ? [entry] : [] }
}

/** The index of the first entry whose key is greater. */
function firstAfter(entries: readonly Entry[], key: string): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const entry = entries[middle]
    if (entry && Buffer.compare(Buffer.from(entry.key), Buffer.from(key)) <= 0) low = middle + 1
    else high = middle
  }
  return low
}
