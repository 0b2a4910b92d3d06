import { type ApiSide, embeddedSide, realSide, WRITERS } from './api-side.ts'
import type { Action } from './load/numbered-request.ts'
import type { Round } from './load/round.ts'
import { type Block, longer, NO_BLOCK } from './loop-probe.ts'
import { cpuSecondsOf } from './processes.ts'

/** How one API did in a measured round. */
export interface Score {
  perSecond: number
  /** How many cores the server kept busy, and its client. */
  serverCores: number
  clientCores: number
  /** How often a watch ended too early, and its client had to start another. */
  resumed: number
}

interface Scores {
  embedded: Score
  real: Score
}

export const OBJECTS = 5_000
export const WATCHERS = 50

/** What is measured, in the order in which each needs the ones before it. */
export const CONTESTS = ['create', 'apply', 'get', 'watch'] as const

export type Contest = (typeof CONTESTS)[number]

const CALLS: Record<Contest, number> = { create: OBJECTS, apply: 5_000, get: 20_000, watch: 2_500 }
// Those that are applied are few and take turns, as in a cluster whose controllers are at work.
const APPLIED = 500
const ACTIONS: Record<Contest, Action> = {
  create: 'create',
  apply: 'apply',
  get: 'get',
  watch: 'patch',
}

/** The namespace in which there are `OBJECTS` after the creations. */
export const NAMESPACE = 'bench'
/** Where as many were created as warm-up. */
export const WARM_UP = 'bench-warm-up'
const APPLIES = 'bench-applies'

/**
 * The embedded API and the real one side by side on this machine, each under the same load by turns. A
 * contest is held once, however many rows ask for it, and after those whose objects it needs.
 */
export class ApiDuel implements AsyncDisposable {
  readonly embedded: ApiSide
  readonly real: ApiSide
  /** The longest that the embedded API's event loop was blocked, by what was going on. */
  readonly blocks = new Map<string, Block>()
  readonly #held = new Map<Contest, Promise<Scores>>()

  private constructor(embedded: ApiSide, real: ApiSide) {
    this.embedded = embedded
    this.real = real
  }

  static async start(): Promise<ApiDuel> {
    const real = await realSide()
    const embedded = await embeddedSide().catch(async (error: unknown) => {
      await real[Symbol.asyncDispose]()
      throw error
    })
    const duel = new ApiDuel(embedded, real)
    await Promise.all([createNamespaces(real), createNamespaces(embedded)])
    return duel
  }

  async scores(contest: Contest): Promise<Scores> {
    // All that were created are there to be read and changed.
    if (contest === 'get' || contest === 'watch') await this.scores('create')
    const scores = this.#held.get(contest) ?? this.#hold(contest)
    this.#held.set(contest, scores)
    return scores
  }

  /** Does something to the embedded API, and remembers how long its event loop was blocked by it. */
  async observed<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    await this.embedded.longestBlock()
    const result = await work()
    const block = await this.embedded.longestBlock()
    this.blocks.set(name, longer(block, this.blocks.get(name) ?? NO_BLOCK))
    return result
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.embedded[Symbol.asyncDispose]()
    await this.real[Symbol.asyncDispose]()
  }

  /** A round of each as warm-up, and one that counts. */
  async #hold(contest: Contest): Promise<Scores> {
    for (const turn of ['warm-up', 'measured'] as const) {
      const real = await run(this.real, contest, turn)
      const embedded = await this.observed(`${contest} (${turn})`, () =>
        run(this.embedded, contest, turn),
      )
      if (turn === 'measured') return { real, embedded }
    }
    throw new Error('no round was measured')
  }
}

type Turn = 'warm-up' | 'measured'

async function run(side: ApiSide, contest: Contest, turn: Turn): Promise<Score> {
  const before = await cpuSecondsOf(side.pids)
  const round = roundFor(contest, turn)
  const { seconds, cpuSeconds, resumed } =
    contest === 'watch'
      ? await side.load.ask('watchedRound', {
          ...{ round, watchers: WATCHERS },
          resourceVersion: await currentVersion(side),
        })
      : { ...(await side.load.ask('round', round)), resumed: 0 }
  return {
    perSecond: (round.calls * (contest === 'watch' ? WATCHERS : 1)) / seconds,
    serverCores: ((await cpuSecondsOf(side.pids)) - before) / seconds,
    clientCores: cpuSeconds / seconds,
    resumed,
  }
}

function roundFor(contest: Contest, turn: Turn): Round {
  const isWarmUp = turn === 'warm-up'
  const createdIn = isWarmUp ? WARM_UP : NAMESPACE
  const namespaces = { create: createdIn, apply: APPLIES, get: NAMESPACE, watch: NAMESPACE }
  return {
    action: ACTIONS[contest],
    namespace: namespaces[contest],
    calls: CALLS[contest],
    objects: contest === 'apply' ? APPLIED : OBJECTS,
    // Each version is of one call only, so that none finds its change made already.
    version: (CONTESTS.indexOf(contest) * 2 + (isWarmUp ? 1 : 2)) * 1_000_000,
  }
}

async function currentVersion({ send }: ApiSide): Promise<string> {
  const path = `/api/v1/namespaces/${NAMESPACE}/configmaps?limit=1`
  const { body } = await send({ method: 'GET', path })
  const { metadata } = body as { metadata: { resourceVersion: string } } // the API's words
  return metadata.resourceVersion
}

async function createNamespaces({ send }: ApiSide): Promise<void> {
  for (const name of [NAMESPACE, WARM_UP, APPLIES]) {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    const { status } = await send({ method: 'POST', path: '/api/v1/namespaces', body })
    if (status >= 300) throw new Error(`an API answered ${status} to the namespace ${name}`)
  }
}

/** What both have in common, for a row. */
export const LOAD = `${WRITERS} writers, objects of 4 KB, every write durable`
