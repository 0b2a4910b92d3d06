import type { ControlPlane } from '#api/control-plane.ts'
import type { Verdict } from '#runtime/plan.ts'
import type { Step, World } from './world.ts'

/** What a rule has to say. */
export interface Decision {
  steps?: Step[]
  state?: NonNullable<ControlPlane['status']>['state']
  /** Left out: the control plane is as it should be. */
  ready?: Verdict
  /** When to look again though nothing changes. Left out: not before something does. */
  again?: 'soon' | 'later'
}

/** Speaks, or leaves it to those after it. */
export type Rule = (controlPlane: ControlPlane, world: World) => Decision | undefined
