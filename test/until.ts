import { setTimeout as delay } from 'node:timers/promises'

const LOOK_EVERY_MS = 50
// For what never comes: a busy machine is slow.
const LONGEST_MS = 90_000

/**
 * Looks again and again until what it sees is good, and returns that. Fails after the deadline with
 * what was seen last, so that the reader need not guess.
 */
export async function until<Seen>(
  what: string,
  look: () => Promise<Seen>,
  isGood: (seen: Seen) => boolean,
): Promise<Seen> {
  const deadline = Date.now() + LONGEST_MS
  for (;;) {
    const seen = await look()
    if (isGood(seen)) return seen
    if (Date.now() > deadline) {
      throw new Error(`waited in vain for ${what}; last seen: ${JSON.stringify(seen, null, 2)}`)
    }
    await delay(LOOK_EVERY_MS)
  }
}
