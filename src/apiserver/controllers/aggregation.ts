import { isDeepStrictEqual } from 'node:util'
import { type Fields, listAt } from '#apiserver/objects.ts'
import { aggregatedRules } from '#apiserver/security/aggregation.ts'
import { objectIn } from '#apiserver/stored-object.ts'
import { Chores } from './chores.ts'
import { builtin, edit, type Housekeeper, placeOf, type World } from './world.ts'

const ROLES = 'rbac.authorization.k8s.io/clusterroles/'

/** Keeps the rules of ClusterRoles that gather others' rules. */
export function roleAggregation(world: World): Housekeeper {
  const chores = new Chores({
    clock: world.clock,
    run: () => aggregate(world),
    onError: (error) => world.log.warn('cluster roles not aggregated', { error: String(error) }),
  })
  return {
    see: ({ key }) => {
      if (key.startsWith(ROLES)) chores.add('all')
    },
    stop: () => chores.stop(),
  }
}

async function aggregate(world: World): Promise<void> {
  const resource = builtin(world, 'rbac.authorization.k8s.io', 'clusterroles')
  const all: Fields[] = world.store.list(ROLES).map(objectIn)
  for (const role of all) {
    if (gathered(role, all)) {
      await edit(world, placeOf(resource, role), (copy) => gathered(copy, all))
    }
  }
}

/** The role with the rules of those that it gathers; undefined if it has them, or gathers none. */
function gathered(role: Fields, all: readonly Fields[]): Fields | undefined {
  const rules = aggregatedRules(role, all)
  return rules && !isDeepStrictEqual(rules, listAt(role, 'rules')) ? { ...role, rules } : undefined
}
