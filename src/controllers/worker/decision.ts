import type { Worker } from '#api/worker.ts'
import type { Verdict } from '#runtime/plan.ts'
import type { Step, World } from './world.ts'

/** What a rule has to say. */
export interface Decision {
  steps?: Step[]
  state?: NonNullable<Worker['status']>['state']
  /** Left out: the pool is as it should be. */
  ready?: Verdict
  isWaiting?: boolean
}

/** Speaks, or leaves it to those after it. */
export type Rule = (worker: Worker, world: World) => Decision | undefined
