/** Something that several rows use: started when it is first asked for, and again after it was ended. */
export class Shared<Thing extends AsyncDisposable> implements AsyncDisposable {
  readonly #start: () => Promise<Thing>
  #started: Promise<Thing> | undefined

  constructor(start: () => Promise<Thing>) {
    this.#start = start
  }

  get(): Promise<Thing> {
    this.#started ??= this.#start()
    return this.#started
  }

  /** Ends it, if it was started. */
  async [Symbol.asyncDispose](): Promise<void> {
    const started = this.#started
    this.#started = undefined
    const thing = await started?.catch(() => undefined)
    await thing?.[Symbol.asyncDispose]()
  }
}
