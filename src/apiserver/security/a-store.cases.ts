import type { Fields } from '#apiserver/objects.ts'
import { memoryBackend } from '#apiserver/store/backends/memory.ts'
import { openStore } from '#apiserver/store/open-store.ts'
import type { Store } from '#apiserver/store/store.ts'
import { systemClock } from '#base/clock.ts'

/** A store in memory that tests put objects into, and take them out of. */
export interface FilledStore {
  store: Store
  put(key: string, object: Fields): Promise<void>
  remove(key: string): Promise<void>
}

export async function aStore(objects: Record<string, Fields> = {}): Promise<FilledStore> {
  const store = await openStore({ backend: memoryBackend(), clock: systemClock })
  const put = (key: string, object: Fields) =>
    store.write(key, () => ({ put: () => Buffer.from(JSON.stringify(object)) }))
  for (const [key, object] of Object.entries(objects)) await put(key, object)
  return {
    store,
    put,
    remove: (key) => store.write(key, () => ({ remove: () => Buffer.from('{}') })),
  }
}

const RBAC = 'rbac.authorization.k8s.io'

/** A Role or a ClusterRole: where it is kept, and what is kept there. */
export function aRole(name: string, rules: Fields[], namespace = ''): [string, Fields] {
  const key = namespace ? `${RBAC}/roles/${namespace}/${name}` : `${RBAC}/clusterroles/${name}`
  return [key, { metadata: { name, ...(namespace && { namespace }) }, rules }]
}

interface BindingFacts {
  name: string
  namespace?: string
  role: string
  subjects: Fields[]
}

/** A binding to a role: `Role/name` or `ClusterRole/name`. */
export function aBinding({ name, namespace, role, subjects }: BindingFacts): [string, Fields] {
  const key = namespace
    ? `${RBAC}/rolebindings/${namespace}/${name}`
    : `${RBAC}/clusterrolebindings/${name}`
  const [kind, roleName] = role.split('/')
  return [
    key,
    {
      metadata: { name, ...(namespace && { namespace }) },
      roleRef: { apiGroup: RBAC, kind, name: roleName },
      subjects,
    },
  ]
}

export const toUser = (name: string): Fields => ({ kind: 'User', apiGroup: RBAC, name })
export const toGroup = (name: string): Fields => ({ kind: 'Group', apiGroup: RBAC, name })
