import type { Machine } from '#api/machine.ts'
import type { Notice, Verdict } from '#runtime/plan.ts'
import type { Step, World } from './world.ts'

/** What a rule has to say. What it leaves out is as the look at the machine has it. */
export interface Decision {
  steps?: Step[]
  state?: NonNullable<Machine['status']>['state']
  /** Left out: the machine is as it should be. */
  ready?: Verdict
  /** Left out: it answered. */
  reachable?: Verdict
  /** What waits for its turn. */
  pending?: NonNullable<Machine['status']>['pending']
  /** How soon to look again. */
  pace: Pace
  notices?: Notice[]
}

/**
 * `soon`: something is under way. `silent`: it does not answer. `later`: somebody has to act first.
 * `settled`: all is well.
 */
export type Pace = 'soon' | 'silent' | 'later' | 'settled'

/** Speaks, or leaves it to those after it. */
export type Rule = (machine: Machine, world: World, now: Date) => Decision | undefined
