import { X509Certificate } from 'node:crypto'
import type { Clock } from '#base/clock.ts'

const HOUR_MS = 3_600_000
const LIFE_MS = 24 * HOUR_MS

/** From when on, and for how long, a certificate is to be good. */
interface Life {
  now: Date
  lifetimeMs: number
}

interface Options<Value> {
  clock: Clock
  /** The certificate of who signs, PEM. */
  authority: string
  make: (life: Life) => Promise<Value>
}

/**
 * A client certificate of ours that is kept in memory: made when it is first asked for, and anew after
 * half of its 24 hours. Whoever asks at the same time gets the same one.
 */
export class RenewedCertificate<Value> {
  readonly #options: Options<Value>
  #kept: { madeMs: number; value: Promise<Value> } | undefined

  constructor(options: Options<Value>) {
    this.#options = options
  }

  /** What is good now. Rejects if it cannot be made; the next one who asks tries again. */
  current(): Promise<Value> {
    const now = this.#options.clock.now()
    const ageMs = this.#ageMs(now)
    // A negative age: somebody has set the clock back.
    return this.#kept && ageMs >= 0 && ageMs < LIFE_MS / 2 ? this.#kept.value : this.#make(now)
  }

  /** A new one, unless what there is was made less than a minute ago: another would be refused as well. */
  renewed(): Promise<Value> {
    const now = this.#options.clock.now()
    return this.#ageMs(now) < HOUR_MS / 60 ? this.current() : this.#make(now)
  }

  #ageMs(now: Date): number {
    return this.#kept ? now.getTime() - this.#kept.madeMs : Number.POSITIVE_INFINITY
  }

  #make(now: Date): Promise<Value> {
    const { make, authority } = this.#options
    const begin = async () => make(lifeFrom(now, authority))
    const kept = { madeMs: now.getTime(), value: begin() }
    this.#kept = kept
    kept.value.catch(() => {
      if (this.#kept === kept) this.#kept = undefined
    })
    return kept.value
  }
}

/**
 * It begins with its authority: a machine whose clock is behind takes it as soon as it takes anything
 * that the authority signed.
 */
function lifeFrom(now: Date, authority: string): Life {
  const beginMs = Math.min(Date.parse(new X509Certificate(authority).validFrom), now.getTime())
  return { now: new Date(beginMs), lifetimeMs: now.getTime() + LIFE_MS - beginMs }
}
