// Of the range that is kept for measurements: no machine of anybody's has one.
const FIRST = 198 * 2 ** 24 + 18 * 2 ** 16 + 1

/** Addresses for machines whose provider has not given them one yet, so that all else can be worked out. */
export class StandIns {
  readonly #addresses = new Map<string, string>()

  /** The same one each time, and another for each. */
  of(id: string): string {
    const known = this.#addresses.get(id)
    if (known !== undefined) return known
    const number = FIRST + this.#addresses.size
    const address = [24, 16, 8, 0].map((bits) => (number >>> bits) % 256).join('.')
    this.#addresses.set(id, address)
    return address
  }

  /** Whether nobody has this one in truth. */
  has(address: string | undefined): boolean {
    return [...this.#addresses.values()].some((one) => one === address)
  }
}
