import { describe, expect, test } from 'vitest'
import { hostileTexts } from './fuzz-hostile.ts'
import { hugeTexts, mutatedTexts } from './fuzz-inputs.ts'
import { isTaken, shortWays, ways } from './fuzz-target.ts'

// Another seed makes other texts: FUZZ_SEED=7.
const SEED = Number(process.env.FUZZ_SEED ?? 6)
const COUNT = 100_000
const LONGEST_MS = 100
const MOST_MB = 600
const MOST_HEAP_MB = 512
const AT_MOST_MS = 15 * 60_000
// A text counts as slow if the best of so many attempts is:
// one alone may have met the compiler, the collector or a busy machine, but a text that is slow is slow again.
const ATTEMPTS = 10

interface Attempt {
  readonly ms: number
  readonly isTaken: boolean
}

/**
 * By the clock, or by the time that the process was at work if that is less: the first counts what
 * other processes do, the second what the collector and the compiler do beside it.
 */
function attempt(way: (text: string) => unknown, text: string): Attempt {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  const taken = isTaken(way, text)
  const { user, system } = process.cpuUsage(before)
  return { ms: Math.min(performance.now() - startedAt, (user + system) / 1e3), isTaken: taken }
}

interface Outcome {
  /** The ways in which the text takes too long, with how long. */
  readonly slow: string[]
  /** In how many ways it is taken. */
  readonly taken: number
}

function outcomeOf(text: string, tried = ways): Outcome {
  const slow: string[] = []
  let taken = 0
  for (const [name, way] of Object.entries(tried)) {
    let best = attempt(way, text)
    for (let left = ATTEMPTS - 1; left > 0 && best.ms > LONGEST_MS; left--) {
      const again = attempt(way, text)
      if (again.ms < best.ms) best = again
    }
    if (best.ms > LONGEST_MS) slow.push(`${name}: ${best.ms} ms: ${text.slice(0, 300)}`)
    if (best.isTaken) taken++
  }
  return { slow, taken }
}

const peakMb = (): number => process.resourceUsage().maxRSS / 1024
const heapMb = (): number => process.memoryUsage().heapUsed / 2 ** 20

describe('no text crashes, hangs or takes much memory', { timeout: AT_MOST_MS }, () => {
  test(`of ${COUNT} that were good once, and what is taken is written and read again (seed ${SEED})`, () => {
    const before = peakMb()
    const slow: string[] = []
    let taken = 0
    for (const text of mutatedTexts(SEED, COUNT)) {
      const outcome = outcomeOf(text)
      slow.push(...outcome.slow)
      taken += outcome.taken
    }

    expect(slow).toEqual([])
    // Else they would say little of what happens to a text that can be read.
    expect(taken).toBeGreaterThan(COUNT / 50)
    expect(peakMb() - before).toBeLessThan(MOST_MB)
    expect(heapMb()).toBeLessThan(MOST_HEAP_MB)
  })

  test('of those that are far too long, or just not', () => {
    const before = peakMb()

    expect(hugeTexts().flatMap((text) => outcomeOf(text).slow)).toEqual([])
    expect(peakMb() - before).toBeLessThan(MOST_MB)
  })

  test.each(Object.entries(hostileTexts))('%s', (_, text) => {
    expect(outcomeOf(text, shortWays).slow).toEqual([])
  })
})
