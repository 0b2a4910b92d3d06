import { Node, Pod } from '#api/foreign.ts'
import { Machine } from '#api/machine.ts'
import { drainMarkIn } from '#engine/drain-mark.ts'
import { type Call, type MachineCall, wordsFor } from './boundary.ts'
import { objectsIn } from './cluster-content.ts'
import { takesDown } from './invariants-of-disruption.ts'
import type { World } from './world.ts'

/** What of the workloads was taken down with a machine, though nobody said that they may be. */
export const undrained = (call: MachineCall): string[] =>
  (call.method === 'reset' || takesDown(call)) && call.undrained && call.undrained.length > 0
    ? [`${wordsFor(call)}: ${[...call.undrained].sort().join(', ')} is still on its node`]
    : []

/** What does not hold of pods and nodes, in sentences. */
export async function brokenDrains(world: World): Promise<string[]> {
  return [...deletedPods(world), ...(await forgottenMarks(world))]
}

/** Pods are asked to go, so that budgets hold, unless somebody said that they are to be deleted in the end. */
function deletedPods({ objects, history }: World): string[] {
  const isForced = JSON.stringify(objects.applied).includes('"afterTimeout":"Delete"')
  const deletions = isForced ? [] : history.filter(isDeletion)
  return deletions.map((call) => `${wordsFor(call)}: it was not evicted`)
}

const isDeletion = (call: Call): boolean =>
  call.to === 'kubernetes' && call.method === 'DELETE' && call.kind === Pod.plural

/** Nobody else takes a mark of ours off a node. */
async function forgottenMarks({ fleet, objects }: World): Promise<string[]> {
  const machines = await objects.list(Machine)
  const going = machines.filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
  const nodes = await objectsIn(fleet, Node)
  return nodes.flatMap(({ metadata }) => {
    const mark = drainMarkIn(metadata)
    return mark && !going.some((one) => one.metadata.uid === mark.by)
      ? [`node ${metadata.name} is marked as drained for nobody who goes`]
      : []
  })
}
