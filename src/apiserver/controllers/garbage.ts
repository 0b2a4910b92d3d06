import { type Fields, fieldsAt } from '#apiserver/objects.ts'
import { objectIn } from '#apiserver/stored-object.ts'
import { Chores } from './chores.ts'
import { Collector } from './collector.ts'
import { OwnerGraph } from './owner-graph.ts'
import type { Housekeeper, World } from './world.ts'

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
  const lookAtOwners = (object: Fields) => {
    for (const key of collector.ownerKeys(object)) chores.add(key)
  }
  return {
    see: ({ type, key, value, previous }) => {
      if (type === 'remove') {
        graph.remove(key)
        const object = objectIn({ value })
        const { uid } = fieldsAt(object, 'metadata')
        for (const dependent of graph.dependentsOf(String(uid))) chores.add(dependent)
        lookAtOwners(object)
        return
      }
      const hasOthers = graph.put(key, value)
      if (hasOthers || value.includes(DELETION)) chores.add(key)
      if (hasOthers && previous) lookAtOwners(objectIn(previous))
    },
    stop: () => chores.stop(),
  }
}
