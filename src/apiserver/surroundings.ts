import { ClusterAddresses } from './kinds/cluster-addresses.ts'
import type { Surroundings } from './kinds/surroundings.ts'
import type { Store } from './store/store.ts'
import { objectIn } from './stored-object.ts'

const SERVICES = '/services/'

/** What built-in kinds have to know of other objects, from a store. Follows it until it is stopped. */
export function surroundingsIn(store: Store): Surroundings & { stop(): void } {
  const addresses = new ClusterAddresses()
  for (const entry of store.list(SERVICES)) addresses.note(objectIn(entry))
  const stop = store.onChanges((changes) => {
    for (const { type, key, value, previous } of changes) {
      if (!key.startsWith(SERVICES)) continue
      if (previous) addresses.forget(objectIn(previous))
      if (type === 'put') addresses.note(objectIn({ value }))
    }
  })
  return {
    addresses,
    clusterObjects: (group, plural) => store.list(`${group}/${plural}/`).map(objectIn),
    namespacedObject({ group, plural, namespace, name }) {
      const entry = store.get(`${group}/${plural}/${namespace}/${name}`)
      return entry && objectIn(entry)
    },
    stop,
  }
}
