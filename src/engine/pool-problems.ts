import type { PoolInput, PoolProblem, PoolRule } from './pool-input.ts'
import { firstOf } from './pool-input.ts'
import { configProblem } from './pool-problems-config.ts'
import {
  addressesProblem,
  hostnameProblem,
  metaProblem,
  namesProblem,
  noMachines,
} from './pool-problems-machines.ts'
import { endpointProblem, rangesProblem } from './pool-problems-network.ts'
import { pairProblem, talosProblem, workerAheadProblem } from './pool-problems-versions.ts'

// What explains the most comes first: a version that nobody knows makes every configuration wrong.
const RULES: readonly PoolRule[] = [
  noMachines,
  addressesProblem,
  namesProblem,
  talosProblem,
  pairProblem,
  workerAheadProblem,
  endpointProblem,
  rangesProblem,
  hostnameProblem,
  metaProblem,
  configProblem,
]

/** What has to be changed before anything is done to the machines of a pool; undefined if nothing has to. */
export const poolProblem = (pool: PoolInput): PoolProblem | undefined =>
  firstOf(RULES, (rule) => rule(pool))
