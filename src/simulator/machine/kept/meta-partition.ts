// All of it together, as in Talos' own layout.
const ROOM = 256 * 1024

/** Small values that outlive everything but a wipe of the whole disk. */
export class MetaPartition {
  readonly #values = new Map<number, Uint8Array>()

  /** In the order of their keys. */
  get entries(): readonly [key: number, value: Uint8Array][] {
    return [...this.#values].sort(([one], [other]) => one - other)
  }

  /** False if there is no room. */
  write(key: number, value: Uint8Array): boolean {
    const others = this.entries.filter(([other]) => other !== key)
    const used = others.reduce((sum, [, { length }]) => sum + length + OVERHEAD, 0)
    if (used + value.length + OVERHEAD > ROOM) return false
    this.#values.set(key, value)
    return true
  }

  text(key: number): string | undefined {
    const value = this.#values.get(key)
    return value && Buffer.from(value).toString()
  }

  /** False if there was none. */
  delete(key: number): boolean {
    return this.#values.delete(key)
  }

  wipe(): void {
    this.#values.clear()
  }
}

const OVERHEAD = 8
