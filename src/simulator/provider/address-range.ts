import { messageOf } from '#base/operator-error.ts'
import type { Refusal } from './wanted-machine.ts'

interface Asked {
  /** Only this one will do. */
  readonly wanted: string | undefined
  /** The one that the machine had before, which it gets again if it is free. */
  readonly last: string | undefined
  /** Of other machines that are to have theirs again. */
  readonly reserved: ReadonlySet<string>
}

/** The addresses that a provider can give to machines. Who is where, the fleet knows. */
export class AddressRange {
  readonly #addresses: readonly string[]
  readonly #isTaken: (address: string) => boolean
  /** Where something else listens, and what was said about it. */
  readonly #unusable = new Map<string, string>()

  constructor(addresses: readonly string[], isTaken: (address: string) => boolean) {
    this.#addresses = addresses
    this.#isTaken = isTaken
  }

  /** An address that is free, or why there is none. */
  choose({ wanted, last, reserved }: Asked): string | Refusal {
    if (wanted !== undefined) return this.#asWanted(wanted)
    if (last !== undefined && this.#addresses.includes(last) && this.#isFree(last)) return last
    return this.#addresses.find((one) => this.#isFree(one) && !reserved.has(one)) ?? this.#runOut()
  }

  /** Nothing can listen at this one. */
  exclude(address: string, why: unknown): void {
    this.#unusable.set(address, messageOf(why).split('\n')[0] ?? '')
  }

  /** Those that nothing could listen at may be tried again. */
  include(): void {
    this.#unusable.clear()
  }

  get hasExcluded(): boolean {
    return this.#unusable.size > 0
  }

  #isFree(address: string): boolean {
    return !this.#isTaken(address) && !this.#unusable.has(address)
  }

  #asWanted(wanted: string): string | Refusal {
    if (!this.#addresses.includes(wanted)) {
      const message = `${wanted.slice(0, 60)} is asked for: this provider has ${this.#words} and no other`
      return { reason: 'AddressNotAvailable', message }
    }
    if (this.#isFree(wanted)) return wanted
    const message = `${wanted} is asked for: ${this.#unusable.get(wanted) ?? 'another machine has it'}`
    return { reason: 'AddressNotAvailable', message }
  }

  #runOut(): Refusal {
    const [why] = this.#unusable.values()
    const others = why === undefined ? '' : `; ${this.#unusable.size} cannot be used: ${why}`
    const message = `no address is free: this provider has ${this.#words}, all taken${others}`
    return { reason: 'NoFreeAddress', message }
  }

  get #words(): string {
    const { length } = this.#addresses
    const [first, last] = [this.#addresses.at(0), this.#addresses.at(-1)]
    return length > 1 ? `${first} to ${last} (${length})` : `${first}`
  }
}
