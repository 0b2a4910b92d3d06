import { ApiFailure } from './failure.ts'

/**
 * How much there may be in one object. An API server of Kubernetes knows no such bounds, but etcd keeps no object
 * of more than 1.5 MiB, in which there is not half as much, unless it is made for that.
 */
export const MOST = { values: 250_000, containers: 100_000, fields: 50_000 } as const

/** Counts what is in a body. Throws an `ApiFailure` when that is more than can be handled without keeping others waiting. */
export class BodySize {
  #values = 0
  #containers = 0
  /** Of each map that is open, how many fields it has had before; of each list, nothing that counts. */
  readonly #open: number[] = []

  /** One more in what is open. */
  add(): void {
    const fields = (this.#open.pop() ?? 0) + 1
    if (fields >= MOST.fields) throw tooMuch(`${MOST.fields} fields in one map`)
    this.#open.push(fields)
    if (++this.#values > MOST.values) throw tooMuch(`${MOST.values} values`)
  }

  open(isMap: boolean): void {
    this.#open.push(isMap ? 0 : Number.NEGATIVE_INFINITY)
    if (++this.#values > MOST.values) throw tooMuch(`${MOST.values} values`)
    if (++this.#containers > MOST.containers) throw tooMuch(`${MOST.containers} maps and lists`)
  }

  close(): void {
    this.#open.pop()
  }
}

/** Refuses what is more than that. */
export const tooMuch = (what: string): ApiFailure =>
  new ApiFailure(413, `Request entity too large: more than ${what}`, {
    reason: 'RequestEntityTooLarge',
  })
