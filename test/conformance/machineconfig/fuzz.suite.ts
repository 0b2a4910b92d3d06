import { describe, expect, test } from 'vitest'
import { hugeTexts, mutatedTexts } from './fuzz-inputs.ts'
import { isTaken, ways } from './fuzz-target.ts'

const SEED = 6
const COUNT = 100_000
const LONGEST_MS = 100
const MOST_MB = 600
const AT_MOST_MS = 15 * 60_000
// What was slow once may have met the compiler or the collector; a text that is slow is slow again.
const ATTEMPTS = 4

function cpuMsOf(act: () => unknown): number {
  const before = process.cpuUsage()
  act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e3
}

/** The ways in which the text takes too long, with how long. */
function slowWays(text: string): string[] {
  return Object.entries(ways).flatMap(([name, way]) => {
    let fastest = Number.POSITIVE_INFINITY
    for (let left = ATTEMPTS; left > 0 && fastest > LONGEST_MS; left--) {
      fastest = Math.min(
        fastest,
        cpuMsOf(() => isTaken(way, text)),
      )
    }
    return fastest > LONGEST_MS ? [`${name}: ${fastest} ms: ${text.slice(0, 300)}`] : []
  })
}

const peakMb = (): number => process.resourceUsage().maxRSS / 1024

describe('no text crashes, hangs or takes much memory', { timeout: AT_MOST_MS }, () => {
  test(`of ${COUNT} that were good once`, () => {
    const before = peakMb()
    const slow: string[] = []
    for (const text of mutatedTexts(SEED, COUNT)) slow.push(...slowWays(text))

    expect(slow).toEqual([])
    expect(peakMb() - before).toBeLessThan(MOST_MB)
  })

  test('of those that are far too long, or just not', () => {
    const before = peakMb()

    expect(hugeTexts().flatMap(slowWays)).toEqual([])
    expect(peakMb() - before).toBeLessThan(MOST_MB)
  })
})
