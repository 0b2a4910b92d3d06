import { type ApiSide, WRITERS } from './api-side.ts'
import type { Action } from './load/numbered-request.ts'
import type { Round } from './load/round.ts'
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

/** A round of each contest as warm-up, and one that counts. */
export const TURNS = ['warm-up', 'measured'] as const

export type Turn = (typeof TURNS)[number]

/** Holds one round of a contest with one API. */
export async function hold(side: ApiSide, contest: Contest, turn: Turn): Promise<Score> {
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

/** Creates what the contests need. */
export async function createNamespaces({ send }: ApiSide): Promise<void> {
  for (const name of [NAMESPACE, WARM_UP, APPLIES]) {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    const { status } = await send({ method: 'POST', path: '/api/v1/namespaces', body })
    if (status >= 300) throw new Error(`an API answered ${status} to the namespace ${name}`)
  }
}

/** What both have in common, for a row. */
export const LOAD = `${WRITERS} writers, objects of 4 KB, every write durable`
