import type { Backend, Group } from '#apiserver/store/store.ts'

/** A backend in front of another one, whose commits a test can hold up or make fail. */
export class ControlledBackend implements Backend {
  /** The groups that reached it, in order. */
  readonly groups: Group[] = []
  readonly #behind: Backend
  #held: Promise<void> | undefined
  #failures: Error[] = []
  #isDisposed = false

  constructor(behind: Backend) {
    this.#behind = behind
  }

  /** Lets commits wait from now on, before anything is kept. Returns the way to let them go on. */
  hold(): () => void {
    let release = () => {}
    this.#held = new Promise((resolve) => {
      release = resolve
    })
    return () => {
      this.#held = undefined
      release()
    }
  }

  failNext(error: Error): void {
    this.#failures.push(error)
  }

  load(): ReturnType<Backend['load']> {
    this.#isDisposed = false
    return this.#behind.load()
  }

  async commit(group: Group): Promise<void> {
    this.groups.push(group)
    await this.#held
    const failure = this.#failures.shift()
    if (failure) throw failure
    if (this.#isDisposed) throw new Error('a commit after the backend was disposed of')
    await this.#behind.commit(group)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
    await this.#behind[Symbol.asyncDispose]()
  }
}
