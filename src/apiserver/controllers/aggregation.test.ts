import { expect, test } from 'vitest'
import { builtinKinds } from '#apiserver/builtin-kinds.ts'
import { customKinds } from '#apiserver/custom-kinds.ts'
import type { Fields } from '#apiserver/objects.ts'
import { ServedKinds } from '#apiserver/served-kinds.ts'
import { memoryBackend } from '#apiserver/store/backends/memory.ts'
import { openStore } from '#apiserver/store/open-store.ts'
import { objectIn } from '#apiserver/stored-object.ts'
import { surroundingsIn } from '#apiserver/surroundings.ts'
import { systemClock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { until } from '#test/until.ts'
import { roleAggregation } from './aggregation.ts'
import { keepHouse } from './housekeeping.ts'
import { builtin, createIfMissing, edit, type World } from './world.ts'

const nothing = () => undefined
const log: Log = { error: nothing, warn: nothing, info: nothing, debug: nothing, with: () => log }
const ROLES = 'rbac.authorization.k8s.io/clusterroles/'

const rule = (resource: string) => ({ apiGroups: [''], resources: [resource], verbs: ['get'] })
const gathering = { clusterRoleSelectors: [{ matchLabels: { part: 'yes' } }] }

async function aWorld(): Promise<World> {
  const store = await openStore({ backend: memoryBackend(), clock: systemClock })
  const kinds = new ServedKinds(store, {
    builtin: builtinKinds(surroundingsIn(store)),
    customOf: customKinds,
  })
  return { store, clock: systemClock, kinds, log }
}

test('a role that just ceased to gather keeps the rules that it was given', async () => {
  const world = await aWorld()
  const resource = builtin(world, 'rbac.authorization.k8s.io', 'clusterroles')
  const place = (name: string) => ({ resource, namespace: '', name })
  const rules = (name: string): unknown => {
    const entry = world.store.get(`${ROLES}${name}`)
    return entry && objectIn(entry).rules
  }
  const stop = keepHouse(world, [roleAggregation(world)])
  await createIfMissing(world, place('whole'), { aggregationRule: gathering })
  const part = (resourceName: string) => ({
    metadata: { labels: { part: 'yes' } },
    rules: [rule(resourceName)],
  })
  await createIfMissing(world, place('part'), part('pods'))
  await until(
    'the rules to be gathered',
    async () => rules('whole'),
    (found) => JSON.stringify(found) === JSON.stringify([rule('pods')]),
  )

  // Each turn of the part makes work for the controller, which reads the whole before this is seen.
  const own = [rule('nodes')]
  const changing = createIfMissing(world, place('other-part'), part('secrets')).then(() =>
    edit(world, place('whole'), ({ aggregationRule: _, ...role }: Fields) => ({
      ...role,
      rules: own,
    })),
  )
  await changing
  await createIfMissing(world, place('last'), part('events'))
  stop()
  await world.store[Symbol.asyncDispose]()

  expect(rules('whole')).toEqual(own)
})
