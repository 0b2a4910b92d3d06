import type { Metrics } from '#runtime/metrics.ts'

type Tally = Pick<Metrics, 'fileOperated'>
type Operation = Parameters<Tally['fileOperated']>[0]['operation']

/**
 * What one call is to do with files. Each is counted once: as a success when it is done, or as a failure when the call
 * has failed before, wherever that was.
 */
export class FilesCount {
  readonly #tally: Tally
  #left = new Map<string, Operation>()

  constructor(tally: Tally) {
    this.#tally = tally
  }

  /** These alone are left to be done. */
  expect(operation: Operation, names: readonly string[]): void {
    this.#left = new Map(names.map((name) => [name, operation]))
  }

  /** One of them turned out to be that. */
  becomes(operation: Operation, name: string): void {
    if (this.#left.has(name)) this.#left.set(name, operation)
  }

  done(name: string): void {
    const operation = this.#left.get(name)
    if (!operation) return
    this.#left.delete(name)
    this.#tally.fileOperated({ operation, status: 'success' })
  }

  /** Whatever is done after that counts no more: nobody waits for it. */
  failed(): void {
    for (const operation of this.#left.values()) {
      this.#tally.fileOperated({ operation, status: 'failure' })
    }
    this.#left.clear()
  }
}
