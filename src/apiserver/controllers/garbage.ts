import type { Fields } from '#apiserver/objects.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { metadataInSteps } from '#apiserver/stored-object.ts'
import { Chores } from './chores.ts'
import { Collector } from './collector.ts'
import { InOrder } from './in-order.ts'
import { OwnerGraph } from './owner-graph.ts'
import type { Housekeeper, Seen, World } from './world.ts'

const DELETION = Buffer.from('"deletionTimestamp":')

/**
 * Deletes what nobody owns any more, and holds an owner that is deleted in the foreground until what blocks
 * it is gone, or one that is to leave its dependents behind until they are let go.
 */
export function garbage(world: World): Housekeeper {
  const graph = new OwnerGraph()
  const collector = new Collector(world, graph)
  const chores = new Chores({
    clock: world.clock,
    run: (key) => collector.look(key),
    onError: (error, key) => world.log.warn('garbage not collected', { key, error: String(error) }),
  })
  // An owner may be waiting for a dependent that is gone, or that is no longer its own.
  const lookAtOwners = function* (metadata: Fields): Steps<void> {
    for (const key of yield* collector.ownerKeys({ metadata })) {
      if (isDue()) yield
      chores.add(key)
    }
  }
  const note = function* ({ type, key, value, previous }: Seen): Steps<void> {
    if (type === 'remove') {
      yield* graph.remove(key)
      const metadata = yield* metadataInSteps({ value })
      for (const dependent of graph.dependentsOf(String(metadata.uid))) chores.add(dependent)
      yield* lookAtOwners(metadata)
      return
    }
    const hasOthers = yield* graph.put(key, value)
    if (hasOthers || value.includes(DELETION)) chores.add(key)
    if (hasOthers && previous) yield* lookAtOwners(yield* metadataInSteps(previous))
  }
  const notes = new InOrder(world, note)
  return {
    see: (seen) => notes.add(seen),
    stop: () => {
      notes.stop()
      chores.stop()
    },
  }
}
