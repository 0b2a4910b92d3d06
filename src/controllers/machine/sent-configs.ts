import type { Clock } from '#base/clock.ts'
import type { Seen, Wanted } from './world.ts'

// How long a machine may take from accepting its configuration to leaving maintenance mode.
const PATIENCE_MS = 60_000

/**
 * Which configurations machines have taken a moment ago. Such a machine still answers as one that waits,
 * and would be given the same again. Lost with the process, it is given once more, which does no harm.
 */
export class SentConfigs {
  readonly #clock: Clock
  readonly #sent = new Map<string, { config: string; atMs: number }>()

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock
  }

  note(uuid: string, config: string): void {
    const atMs = this.#clock.monotonicMs()
    for (const [known, sent] of this.#sent) {
      if (atMs - sent.atMs > PATIENCE_MS) this.#sent.delete(known)
    }
    this.#sent.set(uuid, { config, atMs })
  }

  /** Whether a machine that waits has just taken the configuration that is wanted. */
  hasTaken(seen: Seen, wanted: Wanted): boolean {
    // It went on: whenever it waits again, it waits anew.
    if (seen.is === 'member') this.#sent.delete(seen.uuid)
    if (seen.is !== 'waiting' || wanted.is !== 'known') return false
    const sent = this.#sent.get(seen.uuid)
    return (
      sent?.config === wanted.fingerprint && this.#clock.monotonicMs() - sent.atMs <= PATIENCE_MS
    )
  }
}
