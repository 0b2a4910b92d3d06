import { isDeepStrictEqual } from 'node:util'
import {
  builtin,
  createIfMissing,
  edit,
  evictPod,
  type Place,
  read,
  removeIfThere,
  type World,
} from '#apiserver/controllers/world.ts'
import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'
import { objectIn, prefixOf } from '#apiserver/stored-object.ts'
import type { RemoveOptions } from '#apiserver/write/remove-options.ts'

const GROUPS = {
  configmaps: '',
  endpoints: '',
  namespaces: '',
  nodes: '',
  persistentvolumeclaims: '',
  pods: '',
  serviceaccounts: '',
  services: '',
  daemonsets: 'apps',
  deployments: 'apps',
  replicasets: 'apps',
  statefulsets: 'apps',
  jobs: 'batch',
  leases: 'coordination.k8s.io',
  endpointslices: 'discovery.k8s.io',
  poddisruptionbudgets: 'policy',
  clusterrolebindings: 'rbac.authorization.k8s.io',
  clusterroles: 'rbac.authorization.k8s.io',
} as const

export type Plural = keyof typeof GROUPS

/** Which object is meant. */
export interface Id {
  plural: Plural
  /** Empty for kinds that live in none. */
  namespace: string
  name: string
}

/** What the keys of a kind begin with. */
export const keysOf = (plural: Plural): string => `${GROUPS[plural]}/${plural}/`

/** Which object of a kind has a key. */
export function idIn(plural: Plural, key: string): Id {
  const [first = '', second] = key.slice(keysOf(plural).length).split('/')
  return second === undefined
    ? { plural, namespace: '', name: first }
    : { plural, namespace: first, name: second }
}

export const keyOfId = ({ plural, namespace, name }: Id): string =>
  `${keysOf(plural)}${namespace && `${namespace}/`}${name}`

export const metadataOf = (object: Fields): Fields => fieldsAt(object, 'metadata')
export const specOf = (object: Fields): Fields => fieldsAt(object, 'spec')
export const statusOf = (object: Fields): Fields => fieldsAt(object, 'status')
export const nameOf = (object: Fields): string => textAt(metadataOf(object), 'name') ?? ''
export const uidOf = (object: Fields): string => textAt(metadataOf(object), 'uid') ?? ''
export const isGoing = (object: Fields): boolean =>
  metadataOf(object).deletionTimestamp !== undefined

/**
 * The objects of a cluster, for what plays the control plane and the kubelets: it reads and writes in this process,
 * by the usual rules. It is not recorded who owns which field: nobody asks, and it is half of what an object takes.
 */
export class Objects {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  read(id: Id): Fields | undefined {
    return read(this.#world, this.#place(id))
  }

  /** Those of a namespace, or all. */
  list(plural: Plural, namespace = ''): Fields[] {
    const prefix = prefixOf(this.#place({ plural, namespace, name: '' }).resource, namespace)
    return this.#world.store.list(prefix).map(objectIn)
  }

  /** Creates it unless it is there. Without a name the object says what its name begins with. */
  create(id: Id, fields: Fields): Promise<void> {
    return createIfMissing(this.#world, { ...this.#place(id), owner: '' }, fields)
  }

  /** Changes it, if it is there, by what `change` returns. Nothing: it stays as it is. */
  async change(
    id: Id,
    change: (copy: Fields) => Fields | undefined,
    subresource = '',
  ): Promise<void> {
    // Most of those who look find nothing new, and a write that changes nothing takes as long as any.
    const live = this.read(id)
    const next = live && change(structuredClone(live))
    if (!next || isDeepStrictEqual(next, live)) return
    await edit(this.#world, { ...this.#place(id), owner: '', subresource }, change)
  }

  /** Changes its status: what is said is added to what there is, and what is undefined goes. */
  tell(id: Id, status: (object: Fields) => Fields | undefined): Promise<void> {
    const change = (copy: Fields): Fields | undefined => {
      const next = status(copy)
      return next && { ...copy, status: defined({ ...statusOf(copy), ...next }) }
    }
    return this.change(id, change, 'status')
  }

  remove(id: Id, options: RemoveOptions = {}): Promise<void> {
    return removeIfThere(this.#world, this.#place(id), options)
  }

  /** Fails as the API does when a budget does not allow it. */
  evict(id: Id, gracePeriodSeconds: number): Promise<void> {
    return evictPod(this.#world, this.#place(id), gracePeriodSeconds)
  }

  #place({ plural, namespace, name }: Id): Place {
    return { resource: builtin(this.#world, GROUPS[plural], plural), namespace, name }
  }
}

const defined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** Which object of a kind this is. */
export function idOf(plural: Plural, object: Fields): Id {
  const metadata = metadataOf(object)
  return {
    plural,
    namespace: textAt(metadata, 'namespace') ?? '',
    name: textAt(metadata, 'name') ?? '',
  }
}
