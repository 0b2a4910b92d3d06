import { CONFIG_REJECTED, UPGRADE_FAILED } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { whatIsWrongWith } from './a-life.ts'
import { wordsFor } from './boundary.ts'
import type { DayTwo, PlannedEdit } from './day-two-schedule.ts'
import {
  after,
  atFirst,
  differencesIn,
  manifestOf,
  versionsOf,
  type WantedCluster,
} from './day-two-wanted.ts'
import { aForeignCluster } from './foreign-cluster.ts'
import { bootstrapsIn, brokenInvariants } from './invariants.ts'
import { OURS } from './objects.ts'
import { Trouble } from './soak-faults.ts'
import { conditionOf, untilReady, writesSince } from './verdicts.ts'
import { workloadsOf } from './workloads.ts'
import { aWorld, type World } from './world.ts'

const MINUTE_MS = 60_000
// Kubernetes comes in five parts, machine by machine.
const HEALED_MS = 60 * MINUTE_MS
const SETTLING_MINUTES = 2
const IDLE_MINUTES = 10
// What only a person may decide, and how often that may be needed.
const MOST_HEEDED = 4
const WORKLOAD = 'web'
const HEEDED: readonly string[] = [CONFIG_REJECTED, UPGRADE_FAILED]

/** What is not as it should be after such a day; nothing if all is well. */
export async function problemsOfDay(day: DayTwo, subnet: string): Promise<string | undefined> {
  const wanted = atFirst(day.sort, day.controlPlanes)
  const machines = wanted.controlPlanes.length + wanted.workers.length + wanted.spare.length
  const versions = versionsOf(day.sort)
  await using world = await aWorld({ subnet, machines, versions, hasApiFaults: true })
  const life = new DayTwoLife(world, day, wanted)
  // The world ends with this function, so it is waited for.
  return await whatIsWrongWith(life)
}

class DayTwoLife {
  readonly #world: World
  readonly #day: DayTwo
  readonly #trouble: Trouble
  #wanted: WantedCluster

  constructor(world: World, day: DayTwo, wanted: WantedCluster) {
    this.#world = world
    this.#day = day
    this.#wanted = wanted
    this.#trouble = new Trouble(world)
  }

  async live(): Promise<void> {
    const { sort, controlPlanes, workers } = this.#wanted
    if (sort === 'imported') await aForeignCluster(this.#world, { controlPlanes, workers })
    if (sort === 'busy') await this.#world.bringSecrets('one')
    await this.#apply()
    await untilReady(this.#world, 'one')
    if (sort === 'busy') await this.#deploy()
    for (const edit of this.#day.edits) await this.#edit(edit)
    if (this.#wanted.isPaused) this.#wanted = { ...this.#wanted, isPaused: false }
    await this.#apply()
    await this.#trouble.end()
    await this.#healed()
    await this.#staysAsItIs()
  }

  /** All that is known, for whoever has to find out why. */
  async described(): Promise<string[]> {
    const { seed, sort, controlPlanes } = this.#day
    return [
      `seed ${seed}, ${sort}: ${controlPlanes} + 1 machines`,
      `again: DAYS_SORT=${sort} DAYS_FROM=${seed} DAYS=1 node_modules/.bin/vitest run --project conformance test/conformance/scenarios/day-two.suite.ts`,
      ...['what happened:', ...this.#trouble.told],
      ...['what the operator did:', ...this.#world.history.map(wordsWithTime)],
      ...['what there is:', await this.#world.describe()],
      ...differencesIn(this.#world, this.#wanted),
    ]
  }

  /** Something runs, of which one is always to be there. */
  async #deploy(): Promise<void> {
    using workloads = await workloadsOf(this.#world, 'one')
    await workloads.deploy(WORKLOAD, 2)
    await workloads.budget(WORKLOAD, 1)
    await this.#world.until(
      'it to run',
      async () => (await workloads.nodesOf(WORKLOAD)).length === 2,
    )
  }

  async #apply(): Promise<void> {
    await this.#world.objects.apply(manifestOf(this.#world, this.#wanted))
  }

  async #edit({ is, seconds, faults }: PlannedEdit): Promise<void> {
    const { boundary } = this.#world
    const first = boundary.count
    const left = [...faults]
    const stop = boundary.onCall(() => {
      while (left[0] && boundary.count - first >= left[0].at) {
        const fault = left.shift()
        if (fault) this.#trouble.begin(fault)
      }
    })
    this.#wanted = after(this.#wanted, is)
    this.#trouble.told.push(`${is}, and ${seconds} s until the next`)
    await this.#apply()
    await this.#world.pass(seconds / 60)
    stop()
  }

  async #healed(): Promise<void> {
    for (let times = 0; times <= MOST_HEEDED; times++) {
      if (await this.#passUntil(HEALED_MS, () => this.#isSettled())) return
      if (!(await this.#heed())) break
    }
    throw new Error(
      `it is not as it is wanted ${HEALED_MS / MINUTE_MS} minutes after the last fault`,
    )
  }

  /** Does what the operator asks of its user: says that it may be tried again. */
  async #heed(): Promise<boolean> {
    const { objects } = this.#world
    let isHeeded = false
    for (const { metadata } of await objects.list(Machine)) {
      const found = HEEDED.filter((name) => metadata.annotations?.[name] !== undefined)
      if (found.length === 0) continue
      isHeeded = true
      const annotations = Object.fromEntries(found.map((name) => [name, null]))
      await objects.patch(Machine, metadata.name, { metadata: { annotations } })
    }
    return isHeeded
  }

  async #staysAsItIs(): Promise<void> {
    const world = this.#world
    await world.pass(SETTLING_MINUTES)
    const before = world.history.length
    await world.pass(IDLE_MINUTES)
    expectNone('it writes though nothing happens', writesSince(world, before).map(wordsFor))
    expectNone('it is not as it is wanted', differencesIn(world, this.#wanted))
    if (bootstrapsIn(world) !== 1) throw new Error('it was begun again')
    expectNone('an invariant is broken', await brokenInvariants(world))
  }

  /** Whether every object says so of the spec that it has now, and the machines are so. */
  async #isSettled(): Promise<boolean> {
    const world = this.#world
    if (differencesIn(world, this.#wanted).length > 0) return false
    for (const kind of OURS) {
      for (const { metadata, status } of await world.objects.list(kind)) {
        const ready = await conditionOf(world, [kind, metadata.name], 'Ready')
        if (ready?.status !== 'True' || status?.observedGeneration !== metadata.generation)
          return false
      }
    }
    return true
  }

  async #passUntil(ms: number, isSo: () => Promise<boolean>): Promise<boolean> {
    const end = this.#world.clock.monotonicMs() + ms
    while (this.#world.clock.monotonicMs() < end) {
      if (await isSo()) return true
      await this.#world.pass(1 / 12)
    }
    return isSo()
  }
}

function expectNone(what: string, found: readonly string[]): void {
  if (found.length > 0) throw new Error([`${what}:`, ...found].join('\n'))
}

const wordsWithTime = (call: World['history'][number]): string =>
  `${call.at.toISOString().slice(11, 23)} ${wordsFor(call)}`

export const DAYS_SUBNET = '127.80.23'
