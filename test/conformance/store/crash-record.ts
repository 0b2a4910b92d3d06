import { expect } from 'vitest'

interface Opened {
  revision: number
  entries: [key: string, revision: number, hash: string][]
}

interface Attempt {
  key: string
  revision: number
  hash: string
}

/** What writers that were killed have said, and what must therefore be there. */
export class CrashRecord {
  #state = new Map<string, Attempt>()
  #revision = 0
  #attempts: Attempt[] = []
  #acknowledged = 0
  /** How many writes were acknowledged. */
  count = 0

  /** Takes in a line of a writer. One that opens the store is held to all lines before. */
  read(line: string): void {
    const [word, ...rest] = line.split(' ')
    if (word === 'opened') this.#expectOpened(JSON.parse(rest.join(' ')))
    if (word === 'try') {
      const [key = '', revision, hash = ''] = rest
      this.#attempts.push({ key, revision: Number(revision), hash })
    }
    if (word === 'done') {
      this.#acknowledged = Math.max(this.#acknowledged, Number(rest[0]))
      this.count++
    }
  }

  #expectOpened({ revision, entries }: Opened): void {
    expect(revision, 'no acknowledged write is lost').toBeGreaterThanOrEqual(this.#acknowledged)
    expect(revision, 'the revision never goes back').toBeGreaterThanOrEqual(this.#revision)
    for (const attempt of this.#attempts) {
      if (attempt.revision > revision) break
      if (attempt.hash === '-') this.#state.delete(attempt.key)
      else this.#state.set(attempt.key, attempt)
    }
    const expected = [...this.#state.values()].map(({ key, revision: at, hash }) => [key, at, hash])
    expect(entries, 'all writes up to the revision are there, whole, and no others').toEqual(
      expected.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    )
    this.#revision = revision
    this.#attempts = []
  }
}
