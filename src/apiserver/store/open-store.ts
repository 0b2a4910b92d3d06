import type { Clock } from '#base/clock.ts'
import { ChangeWindow, DEFAULT_WINDOW, type WindowBounds } from './change-window.ts'
import { GroupCommit } from './group-commit.ts'
import { KeyTurns } from './key-turns.ts'
import { collectionOf, SortedEntries } from './sorted-entries.ts'
import {
  type Backend,
  type Change,
  type Decide,
  type Decision,
  type Entry,
  FutureRevision,
  MAX_KEY_BYTES,
  NotKept,
  type Store,
} from './store.ts'

export interface StoreOptions {
  backend: Backend
  clock: Clock
  /** What is left out is 10,000 changes, 32 MiB and 5 minutes. */
  window?: Partial<WindowBounds>
  /** Where an empty store starts to count: nothing is known from before. 0 unless told. */
  firstRevision?: number
  /** Told what a listener of `onChanges` threw. */
  onListenerError?: (error: unknown) => void
}

/** A store of what a backend has kept. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { revision, entries } = await options.backend.load()
  const first = Math.max(revision, options.firstRevision ?? 0)
  return new MemoryOverBackend(options, first, new SortedEntries(entries))
}

type Listener = (changes: readonly Change[]) => void

// Everything is in memory; the backend is only written to. Single-threaded, so whatever happens
// between two awaits is atomic for everyone.
class MemoryOverBackend implements Store {
  readonly #options: StoreOptions
  readonly #entries: SortedEntries
  readonly #window: ChangeWindow
  readonly #turns = new KeyTurns()
  readonly #commits: GroupCommit
  readonly #listeners = new Set<{ listener: Listener }>()
  #revision: number
  #lastDecided: number
  #closing: Promise<void> | undefined

  constructor(options: StoreOptions, revision: number, entries: SortedEntries) {
    this.#options = options
    this.#entries = entries
    this.#window = new ChangeWindow({ ...DEFAULT_WINDOW, ...options.window }, revision)
    this.#commits = new GroupCommit(options.backend, (changes) => this.#apply(changes))
    this.#revision = revision
    this.#lastDecided = revision
  }

  get revision(): number {
    return this.#revision
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key)
  }

  list(prefix: string, at = this.#revision): Entry[] {
    const changed = this.changesSince(at, prefix)
    const now = this.#entries.list(prefix)
    return changed.length > 0 ? undo(changed, now) : now
  }

  changesSince(revision: number, prefix: string): Change[] {
    if (revision === this.#revision) return []
    if (revision > this.#revision) throw new FutureRevision(revision, this.#revision)
    return this.#window.since(revision).filter(({ key }) => key.startsWith(prefix))
  }

  onChanges(listener: Listener): () => void {
    const registered = { listener }
    this.#listeners.add(registered)
    return () => void this.#listeners.delete(registered)
  }

  problem(): string | undefined {
    return this.#commits.problem
  }

  forgetOld(): boolean {
    return this.#window.forgetOld(this.#options.clock.monotonicMs())
  }

  async write(key: string, decide: Decide): Promise<void> {
    if (this.#closing !== undefined) throw new NotKept('the store is closed')
    refuseBadKey(key)
    await new Promise<void>((resolve, reject) => {
      this.#turns.take(key, (done) => {
        const settle = (failure?: unknown) => {
          if (failure === undefined) resolve()
          else reject(failure)
          done()
        }
        const previous = this.#entries.get(key)
        const keep = (decision: Decision) => {
          const change = this.#changeBy(decision, key, previous)
          if (change) this.#commits.add({ change, settle })
          else settle()
        }
        try {
          const decision = decide(previous)
          if (decision instanceof Promise) void decision.then(keep).catch(settle)
          else keep(decision)
        } catch (error) {
          settle(error)
        }
      })
    })
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#turns.idle().then(() => this.#options.backend[Symbol.asyncDispose]())
    return this.#closing
  }

  #changeBy(decision: Decision, key: string, previous: Entry | undefined): Change | undefined {
    if (decision === 'leave') return undefined
    const revision = this.#lastDecided + 1
    if ('remove' in decision) {
      if (!previous) return undefined
      const change: Change = {
        type: 'remove',
        key,
        revision,
        value: alone(decision.remove(revision)),
        previous,
      }
      this.#lastDecided = revision
      return change
    }
    const change: Change = {
      type: 'put',
      key,
      revision,
      value: alone(decision.put(revision)),
      previous,
    }
    this.#lastDecided = revision
    return change
  }

  #apply(changes: readonly Change[]): void {
    for (const { type, key, revision, value } of changes) {
      if (type === 'put') this.#entries.put({ key, revision, value })
      else this.#entries.remove(key)
      this.#revision = revision
    }
    this.#window.add(changes, this.#options.clock.monotonicMs())
    for (const { listener } of [...this.#listeners]) {
      try {
        listener(changes)
      } catch (error) {
        this.#options.onListenerError?.(error)
      }
    }
  }
}

function refuseBadKey(key: string): void {
  if (!collectionOf(key)) throw new TypeError(`the key ${key} has no group and plural`)
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) {
    throw new RangeError(`a key of more than ${MAX_KEY_BYTES} bytes: ${key.slice(0, 100)}…`)
  }
}

/** Node cuts small buffers from a shared piece of memory: kept, one of them would keep all of it. */
function alone(value: Buffer): Buffer {
  if (value.buffer.byteLength === value.length) return value
  const copy = Buffer.allocUnsafeSlow(value.length)
  value.copy(copy)
  return copy
}

/** What the entries were before the changes: what each key's first change found there. */
function undo(changes: readonly Change[], now: readonly Entry[]): Entry[] {
  const before = new Map<string, Entry | undefined>()
  for (const { key, previous } of changes) if (!before.has(key)) before.set(key, previous)
  const untouched = now.filter(({ key }) => !before.has(key))
  const restored = [...before.values()].filter((entry) => entry !== undefined)
  return [...untouched, ...restored].sort((a, b) => (a.key < b.key ? -1 : 1))
}
