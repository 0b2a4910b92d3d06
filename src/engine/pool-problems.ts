import type { PoolInput, PoolProblem, PoolRule } from './pool-input.ts'
import { firstOf } from './pool-input.ts'
import { configProblem, configRefProblem } from './pool-problems-config.ts'
import {
  addressesProblem,
  hostnameProblem,
  metaProblem,
  namesProblem,
  noMachines,
  sharedMachineProblem,
  uuidsProblem,
} from './pool-problems-machines.ts'
import { endpointProblem, rangesProblem } from './pool-problems-network.ts'
import { pairProblem, talosProblem, workerAheadProblem } from './pool-problems-versions.ts'

/** What would make every configuration of the cluster wrong, and nobody but the control plane's owner can mend. */
function controlPlaneProblem({ controlPlane, worker }: PoolInput): PoolProblem | undefined {
  if (!worker) return undefined
  const { name } = controlPlane.metadata
  if (!controlPlane.spec) return invalid(`TalosControlPlane ${name} has no spec. Give it one.`)
  const problem = firstOf([talosProblem, endpointProblem, rangesProblem], (rule) =>
    rule({ controlPlane }),
  )
  return (
    problem && invalid(`TalosControlPlane ${name} has to be corrected first: ${problem.message}`)
  )
}

const invalid = (message: string): PoolProblem => ({ reason: 'ControlPlaneInvalid', message })

// What explains the most comes first: a version that nobody knows makes every configuration wrong.
const RULES: readonly PoolRule[] = [
  noMachines,
  addressesProblem,
  uuidsProblem,
  sharedMachineProblem,
  namesProblem,
  controlPlaneProblem,
  talosProblem,
  pairProblem,
  workerAheadProblem,
  endpointProblem,
  rangesProblem,
  hostnameProblem,
  metaProblem,
  configRefProblem,
  configProblem,
]

/** What has to be changed before anything is done to the machines of a pool; undefined if nothing has to. */
export const poolProblem = (pool: PoolInput): PoolProblem | undefined =>
  firstOf(RULES, (rule) => rule(pool))
