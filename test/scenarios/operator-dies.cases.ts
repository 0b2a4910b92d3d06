import { expect } from 'vitest'
import type { Interruption } from './boundary.ts'
import { endState } from './end-state.ts'
import { bootstrapsIn, brokenInvariants, resetsIn } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { untilReady } from './verdicts.ts'
import { aWorld } from './world.ts'

/** What came of a cluster of one and one whose creation may have been interrupted. */
export interface Created {
  state: string[]
  /** How many calls of the operator counted. */
  calls: number
  /** Whether the interruption came about. */
  interrupted: boolean
}

/** Makes a cluster of one and one, with what befalls the operator meanwhile, and holds what must hold. */
export async function created(subnet: string, interruption?: Interruption): Promise<Created> {
  await using world = await aWorld({ subnet, machines: 2, versions: QUICK })
  if (interruption) world.boundary.interrupt(interruption)
  await world.objects.apply(world.cluster('one', [1], [2]))

  await untilReady(world, 'one')
  // What was under way when it became so.
  await world.pass(1)

  expect(await brokenInvariants(world)).toEqual([])
  expect({ bootstraps: bootstrapsIn(world), resets: resetsIn(world) }).toEqual({
    ...{ bootstraps: 1, resets: 0 },
  })
  return {
    state: await endState(world),
    calls: world.boundary.count,
    interrupted: interruption !== undefined && world.boundary.pending === 0,
  }
}
