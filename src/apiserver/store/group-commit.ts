import { messageOf } from '#base/operator-error.ts'
import { type Backend, type Change, NotKept } from './store.ts'

/** A change that was decided and is not durable yet. */
export interface Decided {
  readonly change: Change
  /** Called when everyone can see the change, or with why it could not be kept. */
  settle(failure?: NotKept): void
}

// Large enough that one sync to the disk serves all who wait for one, small enough that a burst does
// not keep its first writers waiting for its last.
const MAX_GROUP_CHANGES = 1_000
const MAX_GROUP_BYTES = 8 * 1024 * 1024

/** Makes changes durable in their order, one group at a time: what comes meanwhile is the next group. */
export class GroupCommit {
  readonly #backend: Backend
  readonly #apply: (changes: readonly Change[]) => void
  #gathered: Decided[] = []
  #isRunning = false
  #problem: string | undefined

  constructor(backend: Backend, apply: (changes: readonly Change[]) => void) {
    this.#backend = backend
    this.#apply = apply
  }

  /** Why the last group could not be kept. */
  get problem(): string | undefined {
    return this.#problem
  }

  add(decided: Decided): void {
    this.#gathered.push(decided)
    if (this.#isRunning) return
    this.#isRunning = true
    // Whoever writes in this turn of the event loop shares the first group.
    setImmediate(() => void this.#run())
  }

  async #run(): Promise<void> {
    while (this.#gathered.length > 0) await this.#commit(this.#nextGroup())
    this.#isRunning = false
  }

  #nextGroup(): Decided[] {
    let size = 0
    let bytes = 0
    for (const { change } of this.#gathered) {
      bytes += change.value.length
      if (size === MAX_GROUP_CHANGES || (size > 0 && bytes > MAX_GROUP_BYTES)) break
      size++
    }
    return this.#gathered.splice(0, size)
  }

  async #commit(group: Decided[]): Promise<void> {
    const changes = group.map(({ change }) => change)
    const failure = await this.#keep(changes)
    this.#problem = failure?.message
    if (!failure) this.#apply(changes)
    for (const { settle } of group) settle(failure)
  }

  async #keep(changes: readonly Change[]): Promise<NotKept | undefined> {
    try {
      await this.#backend.commit({
        revision: changes.at(-1)?.revision ?? 0,
        writes: changes.map(({ type, key, revision, value }) => ({
          key,
          revision,
          value: type === 'put' ? value : undefined,
        })),
      })
      return undefined
    } catch (error) {
      return new NotKept(`the change could not be kept: ${messageOf(error)}`, { cause: error })
    }
  }
}
