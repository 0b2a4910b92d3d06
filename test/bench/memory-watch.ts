import { setTimeout as delay } from 'node:timers/promises'
import { databaseMbOf, type MemoryParts, type Resident, residentOf } from './memory-parts.ts'

const LOOK_EVERY_MS = 100

/** Looks at the memory of programs every now and then until it is disposed of. */
export class MemoryWatch implements Disposable {
  readonly #pids: readonly number[]
  readonly #database: RegExp
  readonly #stop = new AbortController()
  #most: Resident = { ownMb: 0, allFilesMb: 0 }

  /** All of them together; `database` is what the path of a database file of theirs ends in. */
  constructor(pids: readonly number[], database: RegExp) {
    this.#pids = pids
    this.#database = database
    void this.#run().catch(() => {}) // disposed of, or a program is gone
  }

  /** The most of each part so far. Of a database more and more is mapped, so that is as it is now. */
  async peak(): Promise<MemoryParts> {
    const databases = await Promise.all(this.#pids.map((pid) => databaseMbOf(pid, this.#database)))
    const databaseMb = sum(databases)
    const { ownMb, allFilesMb } = this.#most
    return { ownMb, fileMb: Math.max(0, allFilesMb - databaseMb), databaseMb }
  }

  [Symbol.dispose](): void {
    this.#stop.abort()
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      const all = await Promise.all(this.#pids.map(residentOf))
      this.#most = {
        ownMb: Math.max(this.#most.ownMb, sum(all.map(({ ownMb }) => ownMb))),
        allFilesMb: Math.max(this.#most.allFilesMb, sum(all.map(({ allFilesMb }) => allFilesMb))),
      }
      await delay(LOOK_EVERY_MS, undefined, { signal })
    }
  }
}

const sum = (values: readonly number[]): number => values.reduce((one, other) => one + other, 0)
