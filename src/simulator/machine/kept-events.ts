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
    const made = { origin: this.#origin, count: this.#count++, atMs: this.#clock.now().getTime() }
    const event = new KeptEvent(made, payload, actorId)
    this.#kept.push(event)
    if (this.#kept.length > KEPT) this.#kept.shift()
    for (const listener of [...this.#listeners]) listener(event)
  }

  /** As after a boot. */
  clear(): void {
    this.#kept = []
  }
}

interface Made {
  readonly origin: Uint8Array
  readonly count: number
  readonly atMs: number
}

/** One of many thousands, hardly any of which is ever asked for its id: it is made then. */
class KeptEvent implements MachineEvent {
  readonly atMs: number
  readonly payload: EventPayload
  readonly actorId: string
  readonly #origin: Uint8Array
  readonly #count: number

  constructor({ origin, count, atMs }: Made, payload: EventPayload, actorId: string) {
    this.atMs = atMs
    this.payload = payload
    this.actorId = actorId
    this.#origin = origin
    this.#count = count
  }

  get id(): string {
    return xid(this.atMs, this.#origin, this.#count)
  }
}

const ALPHABET = '0123456789abcdefghijklmnopqrstuv'
const LENGTH = 20

/** An id that sorts by time: seconds, where it was made, a counter; in letters of five bits. */
function xid(atMs: number, origin: Uint8Array, count: number): string {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt32BE(Math.floor(atMs / 1000) >>> 0)
  bytes.set(origin, 4)
  bytes.writeUIntBE(count % 2 ** 24, 9, 3)
  const bits = BigInt(`0x${bytes.toString('hex')}`) << 4n
  return Array.from({ length: LENGTH }, (_, at) => {
    const shift = BigInt((LENGTH - 1 - at) * 5)
    return ALPHABET[Number((bits >> shift) & 31n)]
  }).join('')
}
