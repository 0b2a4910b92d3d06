import { builtinKinds, describedKinds } from '#apiserver/builtin-kinds.ts'
import { createFirstObjects } from '#apiserver/controllers/first-objects.ts'
import { customKinds } from '#apiserver/custom-kinds.ts'
import { ServedKinds } from '#apiserver/served-kinds.ts'
import { openStore } from '#apiserver/store/open-store.ts'
import { surroundingsIn } from '#apiserver/surroundings.ts'
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { backendOf, type ClusterContent, NOTHING } from './cluster-content.ts'

// Clients that ask for the time before, as some do with 1, are told that it is gone.
const FIRST_REVISION = 100
// What is the same in all clusters, and says nothing of any: system roles and classes of priority.
const SHARED = ['rbac.authorization.k8s.io/', 'scheduling.k8s.io/']

const made = new WeakMap<Clock, Promise<ClusterContent>>()

/**
 * What the API of a new cluster holds before it starts. All clusters by one clock have it in common, as the same bytes:
 * to make it for each would take most of a cluster's start, and a third of what it takes in memory. So these objects
 * have the uid and the age of those of the first cluster.
 */
export function firstContent(clock: Clock, log: Log): Promise<ClusterContent> {
  const known = made.get(clock)
  if (known !== undefined) return known
  const making = makeContent(clock, log)
  made.set(clock, making)
  return making
}

async function makeContent(clock: Clock, log: Log): Promise<ClusterContent> {
  const store = await openStore({
    ...{ backend: backendOf(NOTHING), clock, firstRevision: FIRST_REVISION },
  })
  const surroundings = surroundingsIn(store)
  const kinds = new ServedKinds(store, {
    builtin: builtinKinds(surroundings),
    described: describedKinds(),
    customOf: customKinds,
  })
  await createFirstObjects({ store, clock, kinds, log })
  kinds.dispose()
  surroundings.stop()
  const entries = SHARED.flatMap((prefix) => store.list(prefix))
  const content = { revision: store.revision, entries }
  await store[Symbol.asyncDispose]()
  return content
}
