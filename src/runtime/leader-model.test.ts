import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PretendLeases } from '#test/conformance/leader/pretend-leases.ts'
import { GOOD, PretendProcess } from '#test/conformance/leader/pretend-process.ts'
import { FakeClock } from '#test/fake-clock.ts'

// Who counts from the wrong moment is found out, where the usual reserve would cover it up.
const NO_RESERVE = { leaseMs: 15_000, renewWithinMs: 14_999 }

/** Three processes, one Lease, and everything that can happen to them. */
class World {
  readonly time = new FakeClock()
  readonly leases = new PretendLeases()
  readonly processes: PretendProcess[] = []
  readonly #chances: number[]
  readonly #hasOneName: boolean
  #born = 0

  constructor(chances: number[], hasOneName: boolean) {
    this.#chances = chances
    this.#hasOneName = hasOneName
    for (const place of chances.keys()) this.#start(place)
  }

  get leading(): PretendProcess[] {
    return this.processes.filter(({ leads, holds }) => leads && holds)
  }

  /** The one that holds the Lease is the first, if there is one. */
  at(rank: number): PretendProcess {
    const ranked = [...this.processes].sort((a, b) => Number(b.holds) - Number(a.holds))
    const process = ranked[rank]
    if (!process) throw new Error(`there are ${ranked.length}`)
    return process
  }

  /** Kills a process and starts another in its place. */
  replace(dying: PretendProcess): void {
    dying.stop()
    this.#start(this.processes.indexOf(dying))
  }

  /** All faults are over. */
  heal(): void {
    for (const process of [...this.processes]) {
      process.network = GOOD
      process.continue()
      if (process.isToEnd) this.replace(process)
    }
  }

  #start(place: number): void {
    const afterEach = () => {
      if (this.processes.filter(({ holds }) => holds).length > 1) throw new Error('two hold it')
    }
    const surroundings = { time: this.time, leases: this.leases, afterEach }
    const random = () => this.#chances[place] ?? 0
    const options = { random, timing: NO_RESERVE, drainMs: 700 }
    const identity = this.#hasOneName ? 'p0' : `p${this.#born++}`
    this.processes[place] = new PretendProcess(identity, surroundings, options)
  }
}

interface Happening {
  title: string
  happen: (world: World) => unknown
}

const happening = (title: string, happen: Happening['happen']): Happening => ({ title, happen })

const rank = fc.constantFrom(0, 0, 1, 2)

const aDelay = fc.constantFrom(1, 1, 300, 4_000, 7_000)
const delays = fc.record({ thereMs: aDelay, backMs: aDelay })

// All calls of everybody are slow, or some of them.
const weather = fc.tuple(delays, delays, delays).map((networks) =>
  happening(`weather: ${JSON.stringify(networks)}`, (world) => {
    for (const [at, network] of networks.entries()) world.at(at).network = network
  }),
)

// All but what says that the Lease was given back: who writes that by hand means it.
const aSpec = fc.record(
  {
    holderIdentity: fc.constantFrom('p0', 'p1', 'p2', 'stranger', '', null, 7),
    leaseDurationSeconds: fc.constantFrom(-5, 0, 2, 15, 40, 1e9, null, 'long'),
    acquireTime: fc.constantFrom('never', null, '2030-01-01T00:00:00.000000Z'),
    renewTime: fc.constantFrom('never', null, '2030-01-01T00:00:00.000000Z'),
    leaseTransitions: fc.constantFrom(-1, 0, 3, 2 ** 31 - 1, 'many', null),
  },
  { requiredKeys: ['leaseDurationSeconds'] },
)

const passing = (ms: number): Happening =>
  happening(`${ms} ms pass`, (world) => world.time.advance(ms))

const healing = happening('all is well', async (world) => {
  world.heal()
  await world.time.advance(20_000)
})

const trouble = fc.oneof(
  rank.map((who) => happening(`${who} stops`, (world) => world.at(who).stop())),
  fc.tuple(rank, fc.constantFrom('refused', 'dropped', 'answerLost')).map(([who, fault]) =>
    happening(`calls of ${who} are ${fault}`, (world) => {
      world.at(who).network = { ...world.at(who).network, fault }
    }),
  ),
  fc.constantFrom('oldest', 'newest').map((first) =>
    happening(`all continue, ${first} first`, (world) => {
      for (const process of world.processes) process.continue(first)
    }),
  ),
  rank.map((who) => happening(`${who} dies`, (world) => world.replace(world.at(who)))),
  rank.map((who) => happening(`${who} is to end`, (world) => world.at(who).end())),
  fc
    .tuple(rank, fc.integer({ min: -100_000, max: 100_000 }))
    .map(([who, ms]) => happening(`${who} jumps by ${ms}`, (world) => world.at(who).jump(ms))),
  fc.constant(happening('the Lease is deleted', (world) => world.leases.remove())),
  aSpec.map((spec) =>
    happening(`${JSON.stringify(spec)} is written`, (world) => world.leases.edit(spec)),
  ),
)

const aWhile = fc.constantFrom(0, 200, 1_500, 6_000, 18_000).map(passing)

// Some trouble at a time: without a rest, hardly anybody ever gets to lead.
const troubles = fc
  .tuple(weather, fc.array(fc.tuple(aWhile, trouble), { minLength: 1, maxLength: 4, size: 'max' }))
  .map(([first, some]) => [healing, first, ...some.flat(), passing(18_000)])
const aHistory = fc.array(troubles, { minLength: 1, maxLength: 6, size: 'max' })

const aChance = fc.double({ min: 0, max: 1, noNaN: true })

test('whatever happens, never do two hold the Lease; and when it is over, one leads', async () => {
  const chances = fc.tuple(aChance, aChance, aChance)
  await fc.assert(
    fc.asyncProperty(chances, fc.boolean(), aHistory, async (some, hasOneName, history) => {
      const world = new World(some, hasOneName)
      for (const { happen } of history.flat()) await happen(world)
      world.heal()
      // As long as one has to wait for whoever seems to lead, whatever was written.
      await world.time.advance(90_000)

      expect(world.leading).toHaveLength(1)
      await ended(world)
    }),
    // A history that hangs, or is long to make shorter, is told with its seed, and not by the end of our time.
    { numRuns: 100, endOnFailure: true, timeout: 10_000 },
  )
}, 60_000)

/** Everybody ends, and nothing of them is left. */
async function ended(world: World): Promise<void> {
  for (const process of world.processes) process.end()
  await world.time.advance(30_000)
  await Promise.all(world.processes.map(({ running }) => running))

  expect(world.time.waiting).toBe(0)
  expect(world.leases.lease?.spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 })
}
