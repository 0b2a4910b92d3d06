import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { BOOTSTRAP_ACCEPTED } from '#api/labels.ts'
import { whatIsWrongWith } from './a-life.ts'
import { wordsFor } from './boundary.ts'
import { endState } from './end-state.ts'
import { bootstrapsIn, brokenInvariants, resetsIn } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { OURS } from './objects.ts'
import { Trouble, USERS_NOTE } from './soak-faults.ts'
import type { PlannedFault, Schedule, Shape } from './soak-schedule.ts'
import { conditionOf, writesSince } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const NAME = 'one'
const MINUTE_MS = 60_000
/** How long a chapter may go on with faults, before they end. */
const TROUBLED_MS = 20 * MINUTE_MS
/** Within which all is well after the last fault. A pass that failed often is tried again after five minutes. */
const HEALED_MS = 15 * MINUTE_MS
/** What is under way when a cluster becomes Ready or an object goes. */
const SETTLING_MINUTES = 2
const IDLE_MINUTES = 10

/** What is not as it should be after a life with these faults; nothing if all is well. */
export async function problemsOf(schedule: Schedule, subnet: string): Promise<string | undefined> {
  const { controlPlanes, workers } = schedule.shape
  const machines = controlPlanes + workers
  // Before: two worlds at once would each wait for the other to be quiet.
  const whole = await cleanState(schedule.shape)
  // One more, which is no business of ours.
  await using world = await aWorld({
    ...{ subnet, machines: machines + 1, versions: QUICK, hasApiFaults: true },
  })
  const life = new SoakLife(world, schedule, whole)
  // The world ends with this function, so it is waited for.
  return await whatIsWrongWith(life)
}

class SoakLife {
  readonly #world: World
  readonly #schedule: Schedule
  /** What there would be if nothing went wrong. */
  readonly #whole: readonly string[]
  readonly #trouble: Trouble

  constructor(world: World, schedule: Schedule, whole: readonly string[]) {
    this.#world = world
    this.#schedule = schedule
    this.#whole = whole
    this.#trouble = new Trouble(world)
  }

  async live(): Promise<void> {
    const { creation, settled, deletion } = this.#schedule
    await this.#untilReadyDespite(creation)
    await this.#passWith(settled)
    await this.#trouble.end()
    await this.#heed()
    await this.#within(HEALED_MS, 'Ready', () => this.#isReady())
    await this.#staysAsItIs()
    await this.#untilGoneDespite(deletion)
    await this.#trouble.end()
    await this.#within(HEALED_MS, 'gone', () => this.#isGone())
    await this.#leftNothing()
  }

  /** All that is known, for whoever has to find out why. */
  async described(): Promise<string[]> {
    const { seed, shape } = this.#schedule
    return [
      `seed ${seed}: ${shape.controlPlanes} + ${shape.workers} machines`,
      `again: SOAK_FROM=${seed} SOAK_SEEDS=1 node_modules/.bin/vitest run --project conformance test/conformance/scenarios/soak.suite.ts`,
      ...['what went wrong:', ...this.#trouble.told],
      ...['what the operator did:', ...this.#world.history.map(wordsWithTime)],
      ...['what there is:', await this.#world.describe()],
    ]
  }

  async #untilReadyDespite(faults: readonly PlannedFault[]): Promise<void> {
    const { controlPlanes, workers } = this.#schedule.shape
    const stop = this.#beginAtCalls(faults)
    await this.#world.objects.apply(
      this.#world.cluster(NAME, numbers(1, controlPlanes), numbers(1 + controlPlanes, workers)),
    )
    await this.#passUntil(TROUBLED_MS, () => this.#isReady())
    stop()
  }

  async #passWith(faults: readonly PlannedFault[]): Promise<void> {
    const { clock } = this.#world
    for (const fault of faults) clock.after(fault.at * 1_000, () => this.#trouble.begin(fault))
    const last = faults.at(-1)?.at ?? 0
    const longest = Math.max(0, ...faults.map(({ at, forSeconds }) => at + forSeconds - last))
    await this.#world.pass((last + longest + 1) / 60)
  }

  async #untilGoneDespite(faults: readonly PlannedFault[]): Promise<void> {
    const stop = this.#beginAtCalls(faults)
    await this.#world.objects.remove(Cluster, NAME)
    await this.#passUntil(TROUBLED_MS, () => this.#isGone())
    stop()
  }

  #beginAtCalls(faults: readonly PlannedFault[]): () => void {
    const { boundary } = this.#world
    const first = boundary.count
    const left = [...faults]
    return boundary.onCall(() => {
      while (left[0] && boundary.count - first >= left[0].at) {
        const fault = left.shift()
        if (fault) this.#trouble.begin(fault)
      }
    })
  }

  /** Does what the operator asks of its user: a machine that lost power while it began etcd has forgotten it. */
  async #heed(): Promise<void> {
    if (await this.#passUntil(HEALED_MS, () => this.#isReady())) return
    const isForgetful = this.#schedule.creation.some(({ is }) => is === 'machine restarts')
    const ready = await conditionOf(this.#world, [ControlPlane, NAME], 'Ready')
    if (!isForgetful || !ready?.message.includes(`remove the annotation ${BOOTSTRAP_ACCEPTED}`))
      return
    await this.#world.objects.patch(ControlPlane, NAME, {
      metadata: { annotations: { [BOOTSTRAP_ACCEPTED]: null } },
    })
  }

  async #staysAsItIs(): Promise<void> {
    const world = this.#world
    await world.pass(SETTLING_MINUTES)
    const before = world.history.length
    await world.pass(IDLE_MINUTES)
    expectNone('it writes though nothing happens', writesSince(world, before).map(wordsFor))
    const state = await endState(world)
    expectNone('it is not as it would be if nothing had happened', differences(this.#whole, state))
    if (bootstrapsIn(world) < 1) throw new Error('it was never begun')
    if (resetsIn(world) > 0) throw new Error('a machine was reset')
    expectNone('an invariant is broken', await brokenInvariants(world))
  }

  async #leftNothing(): Promise<void> {
    const world = this.#world
    await world.pass(SETTLING_MINUTES)
    const others = world.fleet.machines.filter(({ stage }) => stage !== 'maintenance')
    expectNone(
      'machines do not wait for a configuration',
      others.map(({ address, stage }) => `${address}: ${stage}`),
    )
    expectNone('an invariant is broken', await brokenInvariants(world))
    const spare = world.address(world.fleet.machines.length)
    const touched = world.history.filter((call) => call.to === 'machine' && call.address === spare)
    expectNone('a machine of nobody was called', touched.map(wordsFor))
  }

  async #isReady(): Promise<boolean> {
    const ready = await conditionOf(this.#world, [Cluster, NAME], 'Ready')
    return ready?.status === 'True'
  }

  async #isGone(): Promise<boolean> {
    const left = await Promise.all(OURS.map((kind) => this.#world.objects.list(kind)))
    return left.flat().length === 0
  }

  async #within(ms: number, what: string, isSo: () => Promise<boolean>): Promise<void> {
    if (await this.#passUntil(ms, isSo)) return
    throw new Error(`it is not ${what} ${ms / MINUTE_MS} minutes after the last fault`)
  }

  async #passUntil(ms: number, isSo: () => Promise<boolean>): Promise<boolean> {
    const end = this.#world.clock.monotonicMs() + ms
    while (this.#world.clock.monotonicMs() < end) {
      if (await isSo()) return true
      await this.#world.pass(1 / 60)
    }
    return isSo()
  }
}

const clean = new Map<string, Promise<string[]>>()

/** What there is in the end if nothing goes wrong. */
function cleanState(shape: Shape): Promise<string[]> {
  const key = JSON.stringify(shape)
  const known = clean.get(key) ?? livedCleanly(shape)
  clean.set(key, known)
  return known
}

async function livedCleanly({ controlPlanes, workers }: Shape): Promise<string[]> {
  await using world = await aWorld({
    ...{ subnet: SUBNET, machines: controlPlanes + workers + 1, versions: QUICK },
  })
  await world.objects.apply(
    world.cluster(NAME, numbers(1, controlPlanes), numbers(1 + controlPlanes, workers)),
  )
  await world.until('it to be Ready', async () => {
    const ready = await conditionOf(world, [Cluster, NAME], 'Ready')
    return ready?.status === 'True'
  })
  await world.pass(SETTLING_MINUTES)
  return await endState(world)
}

export const SUBNET = '127.80.22'

const differences = (wanted: readonly string[], found: readonly string[]): string[] => {
  const plain = found.map((line) => line.replace(` ${USERS_NOTE}`, ''))
  return [
    ...wanted.filter((line) => !plain.includes(line)).map((line) => `missing: ${line}`),
    ...plain.filter((line) => !wanted.includes(line)).map((line) => `instead: ${line}`),
  ]
}

function expectNone(what: string, found: readonly string[]): void {
  if (found.length > 0) throw new Error([`${what}:`, ...found].join('\n'))
}

const wordsWithTime = (call: World['history'][number]): string =>
  `${call.at.toISOString().slice(11, 23)} ${wordsFor(call)}`

const numbers = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => from + at)
