import type { Cancel, Clock } from '#base/clock.ts'
import { randomBytesFrom } from '#simulator/random.ts'
import type { EventLog, EventPayload, MachineEvent } from './event-log.ts'

// Talos keeps as many.
const KEPT = 1000

/** The events of one machine. */
export class KeptEvents implements EventLog {
  readonly #clock: Clock
  readonly #origin: Uint8Array
  readonly #listeners = new Set<(event: MachineEvent) => void>()
  #kept: MachineEvent[] = []
  #count = 0

  constructor(clock: Clock, random: () => number) {
    this.#clock = clock
    this.#origin = randomBytesFrom(random, 5)
  }

  get kept(): readonly MachineEvent[] {
    return this.#kept
  }

  onEvent(listener: (event: MachineEvent) => void): Cancel {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  add(payload: EventPayload, actorId = ''): void {
    const at = this.#clock.now()
    const event = { id: xid(at, this.#origin, this.#count++), actorId, at, payload }
    this.#kept.push(event)
    if (this.#kept.length > KEPT) this.#kept.shift()
    for (const listener of [...this.#listeners]) listener(event)
  }

  /** As after a boot. */
  clear(): void {
    this.#kept = []
  }
}

const ALPHABET = '0123456789abcdefghijklmnopqrstuv'
const LENGTH = 20

/** An id that sorts by time: seconds, where it was made, a counter; in letters of five bits. */
function xid(at: Date, origin: Uint8Array, count: number): string {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt32BE(Math.floor(at.getTime() / 1000) >>> 0)
  bytes.set(origin, 4)
  bytes.writeUIntBE(count % 2 ** 24, 9, 3)
  const bits = BigInt(`0x${bytes.toString('hex')}`) << 4n
  return Array.from({ length: LENGTH }, (_, at) => {
    const shift = BigInt((LENGTH - 1 - at) * 5)
    return ALPHABET[Number((bits >> shift) & 31n)]
  }).join('')
}
