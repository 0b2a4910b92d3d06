import { describe, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import type { Api } from '#test/conformance/apis.ts'
import type { Faults, Match } from '#test/misbehaving/faults.ts'
import { until } from '#test/until.ts'
import { callFaultsContract } from './call-faults-contract.ts'
import { failed } from './follower.ts'
import { outageContract } from './outage-contract.ts'
import { isList, isWatch, type Stage, stageOfBlock, titled } from './stage.ts'

const A_DAY_MS = 86_400_000
const MANY = 520
// Longer than `until` waits, which says what it waited for.
const LONGEST_TEST_MS = 40_000

const isLaterPage: Match = (_, path) => path.includes('continue=')

/** Something that goes wrong once. */
interface Fault {
  what: string
  on(faults: Faults): unknown
  /** What the informer tells of it. */
  sign: object
}

const line = (event: object) => `${JSON.stringify(event)}\n`
const half = '{"type":"ADDED","object":{"meta'

const watchFaults: Fault[] = [
  {
    what: 'its connection was dropped',
    on: (faults) => faults.dropWatches(),
    sign: failed({ message: 'aborted' }),
  },
  {
    what: 'its connection was dropped in the middle of a line',
    on: async (faults) => {
      await faults.sendOnWatches(half)
      faults.dropWatches()
    },
    sign: failed({ message: 'aborted' }),
  },
  {
    what: 'the server ended it',
    on: (faults) => faults.endWatches(),
    sign: { state: 'resumed' },
  },
  {
    what: 'the server ended it in the middle of a line',
    on: async (faults) => {
      await faults.sendOnWatches(half)
      faults.endWatches()
    },
    sign: { state: 'resumed' },
  },
  {
    what: 'a line was garbage',
    on: (faults) => faults.sendOnWatches('<html>Bad gateway</html>\n'),
    sign: failed({ reason: 'Garbled' }),
  },
  {
    what: 'a line was truncated JSON',
    on: (faults) => faults.sendOnWatches(`${half}\n`),
    sign: failed({ reason: 'Garbled' }),
  },
  {
    what: 'an event had no object',
    on: (faults) => faults.sendOnWatches(line({ type: 'DELETED' })),
    sign: failed({ reason: 'Garbled' }),
  },
  {
    what: 'an ERROR came',
    on: (faults) =>
      faults.sendOnWatches(line({ type: 'ERROR', object: { code: 500, reason: 'InternalError' } })),
    sign: failed({ status: 500, reason: 'InternalError' }),
  },
  {
    what: 'an ERROR said that its version was too old',
    on: (faults) =>
      faults.sendOnWatches(line({ type: 'ERROR', object: { code: 410, reason: 'Expired' } })),
    sign: { state: 'listed', why: 'tooOld' },
  },
  {
    what: 'the server had forgotten its version by the time it was resumed',
    on: async (faults) => {
      await faults.compact()
      faults.dropWatches()
    },
    sign: { state: 'listed', why: 'tooOld' },
  },
]

const STATUSES = [401, 403, 409, 410, 429, 500, 502, 503, 504]

/**
 * What the client and the informer promise whatever the API does: the same on every API, by means of
 * a server in front of it that misbehaves.
 */
export const faultsContract = ({ name, start }: Api) =>
  describe(`in front of ${name}`, { timeout: LONGEST_TEST_MS }, () => {
    const stage = stageOfBlock(start)

    describe('the cache ends equal to the server, and real changes are told and no others', () => {
      watchFaultCases(stage)
      listFaultCases(stage)
      quietFaultCases(stage)
    })
    outageContract(stage)
    callFaultsContract(stage)
  })

function watchFaultCases(stage: () => Stage): void {
  test.each(titled(watchFaults))('when of a watch, %s', async (_, { on, sign }) => {
    const follower = await stage().beginning()

    await on(stage().faults)
    await stage().meanwhile()
    await follower.toldOf(sign)

    await stage().end(follower)
  })

  test.each(STATUSES)('when watches were refused with %i', async (status) => {
    const follower = await stage().beginning()

    const off = stage().faults.answer({ match: isWatch, status, retryAfter: 0 })
    stage().faults.dropWatches()
    await stage().meanwhile()
    await follower.toldOf(failed({ status }))
    off()

    await stage().end(follower)
    expect(stage().answers).toContain(`watch ${status}`)
  })

  test('when every watch was refused as too old, after longer and longer pauses', async () => {
    const follower = await stage().beginning()

    const off = stage().faults.answer({ match: isWatch, status: 410 })
    stage().faults.dropWatches()
    await stage().meanwhile()
    const look = async () => follower.failures.map(({ failures }) => failures)
    const failures = await until('refusals', look, ({ length }) => length >= 5)
    off()

    // One for the connection that broke, after a watch that had lived.
    expect(failures.slice(0, 5)).toEqual([1, 2, 3, 4, 5])
    await stage().end(follower)
  })

  test('when a watch fell silent, its connection open', async () => {
    const follower = await stage().beginning({ timing: { silenceMs: 700 } })

    stage().faults.freezeWatches()
    await stage().meanwhile()
    await follower.toldOf(failed({ message: 'nothing for 0.7 s' }))

    await stage().end(follower)
  })

  test('when an event was lost, by the next list', async () => {
    const follower = await stage().beginning({ timing: { resyncMs: 0 } })

    stage().faults.loseNextWatchEvent()
    await stage().meanwhile()
    await follower.toldOf('added coming')
    expect(follower.told).not.toContain('changed changing')
    stage().faults.endWatches()
    await follower.toldOf({ state: 'listed', why: 'resync' })

    await stage().end(follower)
  })
}

function listFaultCases(stage: () => Stage): void {
  test.each(STATUSES)('when lists were refused with %i', async (status) => {
    await stage().put('old')
    const off = stage().faults.answer({ match: isList, status, retryAfter: 0 })

    const follower = await stage().follow()
    await follower.toldOf(failed({ status }))
    expect(follower.informer.hasSynced).toBe(false)
    off()

    await stage().converged(follower)
    expect(follower.told.sort()).toEqual(['added last', 'added old'])
    expect(stage().answers).toContain(`list ${status}`)
  })

  test.each([
    ['no list', '{"kind":"Status"}'],
    ['truncated JSON', '{"metadata":{"resourceVersion":"1"},"items":[{"meta'],
    ['a page of a proxy', '<html>Please log in</html>'],
  ])('when everything was listed again and the answer was %s', async (_, text) => {
    const follower = await stage().beginning()

    const off = stage().faults.say(isList, text)
    await stage().faults.compact()
    stage().faults.dropWatches()
    await stage().meanwhile()
    await follower.toldOf(failed({ reason: 'Garbled' }))
    expect(follower.informer.cache.size).toBe(2)
    off()

    await stage().end(follower)
  })

  test('when a list changed between its pages', async () => {
    const names = await many(stage())
    const off = stage().faults.betweenPages(async () => {
      off()
      await stage().put('many-519', 'changed')
      await stage().remove('many-000')
      await stage().put('many-new')
    })

    const follower = await stage().follow()
    await follower.toldOf({ state: 'listed' })
    await stage().converged(follower)

    expect(follower.told.slice(0, MANY)).toEqual(names.map((name) => `added ${name}`))
    expect(follower.told.slice(MANY).sort()).toEqual(
      ['added last', 'added many-new', 'removed many-000', 'changed many-519'].sort(),
    )
    expect(follower.failures).toEqual([])
  })

  test('when a list expired between its pages', async () => {
    const names = await many(stage())
    stage().faults.answer({ match: isLaterPage, status: 410, times: 1 })

    const follower = await stage().follow()
    await stage().converged(follower)

    const added = [...names, 'last'].map((name) => `added ${name}`)
    expect(follower.told.sort()).toEqual(added.sort())
    expect(stage().answers).toContain('list 410')
  })
}

/** What takes longer or looks odd, and is no reason to do anything. */
function quietFaultCases(stage: () => Stage): void {
  test('when nothing went wrong, and nothing is told of a failure', async () => {
    const follower = await stage().beginning()

    await stage().meanwhile()

    await stage().end(follower)
    expect(follower.failures).toEqual([])
  })

  test('when the server was slow', async () => {
    stage().faults.delay(() => true, 150)
    stage().faults.spoilBodies(isList, 'trickles')
    const follower = await stage().beginning()

    stage().faults.endWatches()
    await stage().meanwhile()

    await stage().end(follower)
    expect(follower.failures).toEqual([])
  })

  test.each([A_DAY_MS, -A_DAY_MS])('when the clock jumped by %i ms', async (jumpMs) => {
    let offMs = 0
    const now = () => new Date(systemClock.now().getTime() + offMs)
    const clock = { ...systemClock, now }
    const client = await stage().client({ clock })
    const follower = await stage().beginning({ client, clock })

    offMs = jumpMs
    stage().faults.endWatches()
    await stage().meanwhile()

    await stage().end(follower)
    expect(follower.failures).toEqual([])
    expect(follower.states.filter(({ state }) => state === 'listed')).toHaveLength(1)
  })
}

/** More objects than fit on a page, sorted by name. */
async function many(stage: Stage): Promise<string[]> {
  const names = Array.from({ length: MANY }, (_, index) => `many-${String(index).padStart(3, '0')}`)
  await Promise.all(names.map((name) => stage.put(name)))
  return names
}
