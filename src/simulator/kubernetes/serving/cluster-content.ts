import type { Backend, Entry } from '#apiserver/store/store.ts'
import type { EtcdContent } from '#simulator/etcd/etcd-content.ts'

/** All that the store of a cluster's Kubernetes API holds. */
export interface ClusterContent {
  readonly revision: number
  readonly entries: readonly Entry[]
}

export const NOTHING: ClusterContent = { revision: 0, entries: [] }

/** Where a store takes its content from. Nothing is kept here: the store itself has it all in memory. */
export const backendOf = ({ revision, entries }: ClusterContent): Backend => ({
  load: async () => ({ revision, entries }),
  commit: async () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
})

const REGISTRY = '/registry/'
// All other groups have a dot in their name, and no kind of the core is called so.
const PLAIN_GROUPS = new Set(['apps', 'autoscaling', 'batch', 'extensions', 'policy'])

/** Content as etcd has it. */
export const toEtcd = ({ revision, entries }: ClusterContent): EtcdContent => ({
  revision,
  entries: entries.map(({ key, ...entry }) => ({
    ...entry,
    key: `${REGISTRY}${key.replace(/^\//, '')}`,
  })),
})

/** Content that `toEtcd` made; what else is there, such as the objects of a real cluster, cannot be read here and is left out. */
export const fromEtcd = ({ revision, entries }: EtcdContent): ClusterContent => ({
  revision,
  entries: entries
    .filter(({ key, value }) => key.startsWith(REGISTRY) && value[0] === BRACE)
    .map(({ key, revision: at, value }) => ({
      key: storeKeyOf(key.slice(REGISTRY.length)),
      revision: at,
      value: Buffer.from(value),
    })),
})

const BRACE = '{'.charCodeAt(0)

function storeKeyOf(path: string): string {
  const [group = ''] = path.split('/')
  return group.includes('.') || PLAIN_GROUPS.has(group) ? path : `/${path}`
}
