/** An object as it is kept: JSON in UTF-8, its resourceVersion included. */
export interface Entry {
  readonly key: string
  /** The resourceVersion of its last change. */
  readonly revision: number
  readonly value: Buffer
}

export interface Change {
  readonly type: 'put' | 'remove'
  readonly key: string
  readonly revision: number
  /** As it is now; for a removal, as it last was, with the revision of the removal. */
  readonly value: Buffer
  readonly previous: Entry | undefined
}

/** What is to become of a key. The bytes are made when their revision is known. */
export type Decision =
  | { put: (revision: number) => Buffer }
  | { remove: (revision: number) => Buffer }
  | 'leave'

/** Decides by what is there; in several turns of the event loop, if that takes long. */
export type Decide = (current: Entry | undefined) => Decision | Promise<Decision>

/** No key is longer: a group, a plural, a namespace and a name fit easily. */
export const MAX_KEY_BYTES = 1_500

/**
 * Keeps objects by key, counts their changes, and tells of them. Keys read
 * `group/plural/namespace/name`, or `group/plural/name`, and are ordered as strings are: for ASCII,
 * byte by byte. A key of another shape, or a longer one than `MAX_KEY_BYTES`, is refused.
 *
 * Nobody sees a write before it is durable: not its writer, not a reader, not a watcher. Revisions
 * only ever grow, and some are skipped. Disposing finishes what was begun, refuses what comes after,
 * and disposes of the backend; what is there can still be read.
 */
export interface Store extends AsyncDisposable {
  /** Of the newest change that is durable. Never goes back, whatever ends the process. */
  readonly revision: number
  get(key: string): Entry | undefined
  /**
   * What is there under a prefix, in order; `at` an older revision as it was then. Throws `Expired` when
   * that is no longer known, `FutureRevision` when it has not been yet. The list is the caller's own.
   */
  list(prefix: string, at?: number): Entry[]
  /**
   * Decides about a key and does it: `decide` is called once, with what is there, when every earlier
   * write to the key is done: at once if none is. While it decides, later ones wait. Resolves when the
   * change is durable and everyone can see it, after every listener was told; rejects with what `decide`
   * or the making of the bytes threw, or with `NotKept`, and then nothing has changed. To remove what is
   * not there is to leave it.
   */
  write(key: string, decide: Decide): Promise<void>
  /** Every change under a prefix after a revision, oldest first. Throws as `list` does. */
  changesSince(revision: number, prefix: string): Change[]
  /**
   * Calls back, once, with each group of changes that became durable together; the store already shows
   * them. What a listener throws disturbs nobody. Returns a way to stop.
   */
  onChanges(listener: (changes: readonly Change[]) => void): () => void
  /** Forgets changes that have become too old, which otherwise happens with the next change. Whether some are remembered still. */
  forgetOld(): boolean
  /** Why the last group of writes could not be kept; nothing as soon as one is kept again. */
  problem(): string | undefined
}

/** Asked for a revision that is older than what is remembered. */
export class Expired extends Error {
  override readonly name = 'Expired'
  readonly oldest: number

  constructor(oldest: number) {
    super(`nothing is known from before revision ${oldest}`)
    this.oldest = oldest
  }
}

/** Asked for a revision that has not been yet. */
export class FutureRevision extends Error {
  override readonly name = 'FutureRevision'
  readonly newest: number

  constructor(asked: number, newest: number) {
    super(`revision ${asked} has not been yet, the newest is ${newest}`)
    this.newest = newest
  }
}

/** A write that the backend could not make durable, or that came after the store was closed. */
export class NotKept extends Error {
  override readonly name = 'NotKept'
}

/** Where a store keeps its entries. It orders, remembers and tells nothing: the store does. */
export interface Backend extends AsyncDisposable {
  /** Everything that was kept, in any order, and the newest revision; called once, first. */
  load(): Promise<{ revision: number; entries: Iterable<Entry> }>
  /**
   * Keeps a group of writes, all or none; resolves when no crash can undo it, rejects when none of it
   * will be seen again. One at a time; a key is in a group once.
   */
  commit(group: Group): Promise<void>
}

export interface Group {
  /** Of the last write of the group. */
  revision: number
  /** In the order of their revisions; no value: what is there goes. */
  writes: readonly { key: string; revision: number; value: Buffer | undefined }[]
}
