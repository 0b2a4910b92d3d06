import { describe, expect, test } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import type { Faults, Match, Off } from '#test/misbehaving/faults.ts'
import { until } from '#test/until.ts'
import { type Follower, failed } from './follower.ts'
import { isList, isWatch, type Stage, titled } from './stage.ts'

const FIVE_MINUTES_MS = 300_000
// How long a call may take that says nothing else.
const DEADLINE_MS = 30_000
// Of the pauses between two attempts.
const LONGEST_PAUSE_MS = 30_000

interface Silence {
  what: string
  meant: Match
  on(faults: Faults, meant: Match): Off
}

const silences: Silence[] = [
  {
    what: 'a list is never answered',
    meant: isList,
    on: (faults, meant) => faults.delay(meant, Number.POSITIVE_INFINITY),
  },
  {
    what: 'a list stops half-way',
    meant: isList,
    on: (faults, meant) => faults.spoilBodies(meant, 'stalls'),
  },
  {
    what: 'a watch never begins',
    meant: isWatch,
    on: (faults, meant) => faults.delay(meant, Number.POSITIVE_INFINITY),
  },
]

/** What an informer does while there is nobody to talk to, with the timing that it usually has. */
export const outageContract = (stage: () => Stage) =>
  describe('an informer waits for an API that is not there', () => {
    test.each(titled(silences))(
      '%s: it asks again half a minute later',
      async (_, { meant, on }) => {
        await stage().put('old')
        const off = on(stage().faults, meant)
        const { clock, follower } = await unhurried(stage())
        await asked(stage(), meant, 1)

        await clock.advance(DEADLINE_MS)
        await follower.toldOf(failed({ reason: 'Timeout', status: 0 }))
        off()
        await clock.advance(LONGEST_PAUSE_MS)

        await stage().converged(follower)
        expect(follower.told.sort()).toEqual(['added last', 'added old'])
      },
    )

    test('nobody listens for five minutes: it asks ever less often, and its cache stays', async () => {
      const { clock, follower } = await unhurried(stage(), 'beginning')
      await stage().faults.refuseConnections(true)
      await stage().meanwhile()

      const attempts = await outlast(clock, follower, async () => {
        expect(follower.informer.cache.get(`${stage().namespace}/changing`)?.data).toEqual({
          value: 'before',
        })
      })
      await stage().faults.refuseConnections(false)
      await clock.advance(LONGEST_PAUSE_MS)

      // Pauses of 0.4, 0.8, 1.5 … up to 22.5 s.
      expect(attempts).toBeGreaterThan(10)
      expect(attempts).toBeLessThan(25)
      expect(follower.failures.at(-1)).toMatchObject(failed({ reason: 'Unreachable' }))
      await stage().end(follower)
    })

    test('nobody answers for five minutes: it asks once a minute at most', async () => {
      const { clock, follower } = await unhurried(stage(), 'beginning')
      const off = stage().faults.delay(() => true, Number.POSITIVE_INFINITY)
      stage().faults.dropWatches()
      await stage().meanwhile()

      const before = stage().front.log.length
      await outlast(clock, follower, async (attempt) => {
        expect(follower.informer.cache.size).toBe(2)
        await asked(stage(), () => true, before + attempt)
        await clock.advance(DEADLINE_MS)
      })
      off()
      await clock.advance(LONGEST_PAUSE_MS)

      expect(stage().front.log.length - before).toBeLessThan(15)
      expect(follower.failures.at(-1)).toMatchObject(failed({ reason: 'Timeout' }))
      await stage().end(follower)
    })
  })

/** An informer on a clock that the test moves, without a test's timing; of nothing, or of two objects. */
async function unhurried(stage: Stage, of?: 'beginning') {
  const clock = new FakeClock()
  const client = await stage.client({ clock })
  const options = { client, clock, timing: 'usual', random: () => 0.5 } as const
  const follower = await (of ? stage.beginning(options) : stage.follow(options))
  return { clock, follower }
}

/** Waits until such requests have come in. */
const asked = (stage: Stage, meant: Match, count: number) =>
  until(
    'a request',
    async () => stage.front.log.filter(({ method, path }) => meant(method, path)).length,
    (seen) => seen >= count,
  )

/** Lets five minutes pass, failure by failure, and tells how many there were. */
async function outlast(
  clock: FakeClock,
  follower: Follower,
  between: (attempt: number) => Promise<void>,
): Promise<number> {
  const start = clock.monotonicMs()
  for (let attempts = 1; ; attempts++) {
    await follower.toldOf({ state: 'failed', failures: attempts })
    if (clock.monotonicMs() - start >= FIVE_MINUTES_MS) return attempts
    await clock.advance(follower.failures[attempts - 1]?.retryMs ?? 0)
    await between(attempts)
  }
}
