import type { Clock } from '#base/clock.ts'

interface Options {
  /** What is asked, for people. */
  what: string
  limitMs: number
  clock: Clock
}

/**
 * Something that may never answer. Whoever asks waits no longer than the limit; and while something that took longer is
 * still open, nothing more is asked: each question that hangs keeps a thread of the process.
 */
export class Answering {
  readonly #options: Options
  #late = 0

  constructor(options: Options) {
    this.#options = options
  }

  async within<Result>(ask: () => Promise<Result>): Promise<Result> {
    if (this.#late > 0) throw this.#silent()
    const answer = ask()
    return new Promise((resolve, reject) => {
      let isLate = false
      const cancel = this.#options.clock.after(this.#options.limitMs, () => {
        isLate = true
        this.#late += 1
        reject(this.#silent())
      })
      const ended = () => {
        cancel()
        if (isLate) this.#late -= 1
      }
      answer.finally(ended).then(resolve, reject)
    })
  }

  #silent(): Error {
    const { what, limitMs } = this.#options
    return new Error(`${what} does not answer within ${limitMs / 1_000} s`)
  }
}
