import { ETCD_LEFT } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { RecentlyUsed } from '#engine/recently-used.ts'
import { keyOf } from '#kube/cache.ts'
import type { World } from './world.ts'

interface Said {
  cluster: string
  list: string
}

// Of machines that have left; they are forgotten soon enough.
const MOST_LEFT = 1_000

/**
 * What the machines of each cluster last said of the members of its etcd. A machine that is well is seldom looked at, and
 * what it said is old as soon as another one joins or leaves: then it is looked at again. Can be lost without harm.
 */
export class EtcdLists {
  readonly #said = new Map<string, Said>()
  readonly #left = new RecentlyUsed<true>(MOST_LEFT)

  /** Who has to be looked at, by key, because etcd has other members now than they said. */
  note(machine: Machine, { parent, seen }: Pick<World, 'parent' | 'seen'>): string[] {
    const key = keyOf(machine)
    const { deletionTimestamp, annotations, uid = '' } = machine.metadata
    if (parent.is !== 'there' || deletionTimestamp !== undefined) this.#said.delete(key)
    if (parent.is !== 'there') return []
    const cluster = keyOf(parent.controlPlane)
    if (deletionTimestamp !== undefined) {
      const isNews = annotations?.[ETCD_LEFT] !== undefined && !this.#left.get(uid)
      if (isNews) this.#left.set(uid, true)
      return isNews ? this.#others(cluster, '') : []
    }
    if (seen.is !== 'member' || !seen.etcdMembers) return []
    const list = JSON.stringify(seen.etcdMembers)
    if (this.#said.get(key)?.list === list) return []
    this.#said.set(key, { cluster, list })
    return this.#others(cluster, list)
  }

  /** Those of a cluster that said something else. */
  #others(cluster: string, list: string): string[] {
    return [...this.#said]
      .filter(([, said]) => said.cluster === cluster && said.list !== list)
      .map(([key]) => key)
  }
}
