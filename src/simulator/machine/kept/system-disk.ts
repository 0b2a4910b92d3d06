/** A Talos that is on a disk, or on the medium that a machine can boot from. */
export interface TalosImage {
  /** `v1.13.0` */
  readonly version: string
  /** Of the image factory, if it came from there. */
  readonly schematic: string | undefined
}

export type Slot = 'A' | 'B'

/** The disk that Talos is installed on, with room for two versions of it. */
export class SystemDisk {
  #path: string | undefined
  #slots: Partial<Record<Slot, TalosImage>> = {}
  #booted: Slot = 'A'
  #next: Slot = 'A'
  #isUntried = false
  #isOnTrial = false

  /** `/dev/sda`; undefined while Talos is not installed. */
  get path(): string | undefined {
    return this.#path
  }

  get isInstalled(): boolean {
    return this.#path !== undefined
  }

  /** What the next boot runs. */
  get next(): TalosImage | undefined {
    return this.#slots[this.#next]
  }

  /** What the boot before this one would run, if anything. */
  get other(): TalosImage | undefined {
    return this.#slots[otherThan(this.#booted)]
  }

  /** Whether the next boot is the first one of what was put there by an upgrade. */
  get isNextUntried(): boolean {
    return this.#isUntried
  }

  install(path: string, image: TalosImage): void {
    this.#path = path
    this.#slots = { A: image }
    this.#booted = 'A'
    this.settle()
    this.stay()
  }

  /** Beside the version that runs, which stays. */
  upgrade(image: TalosImage): void {
    this.#next = otherThan(this.#booted)
    this.#slots = { ...this.#slots, [this.#next]: image }
    this.#isUntried = true
  }

  /** The next boot is one of what ran last. */
  stay(): void {
    this.#next = this.#booted
    this.#isUntried = false
  }

  /** What runs is all that it should be: a later failure does not lead back any more. */
  settle(): void {
    this.#isOnTrial = false
  }

  /** After a failure: the next boot is one of what ran last, or of what ran before an upgrade that never came up. */
  fallBack(): void {
    const leadsBack = this.#isOnTrial && this.revert()
    this.settle()
    if (!leadsBack) this.stay()
  }

  /** The next boot runs the other version; false if there is none. */
  revert(): boolean {
    if (!this.other) return false
    this.#next = otherThan(this.#booted)
    return true
  }

  /** What was next has begun to run. */
  booted(): void {
    this.#booted = this.#next
    this.#isOnTrial ||= this.#isUntried
    this.#isUntried = false
  }

  wipe(): void {
    this.#path = undefined
    this.#slots = {}
    this.#booted = 'A'
    this.settle()
    this.stay()
  }
}

const otherThan = (slot: Slot): Slot => (slot === 'A' ? 'B' : 'A')
