import type { Seen } from '#apiserver/controllers/world.ts'
import type { Entry } from '#apiserver/store/store.ts'
import { objectIn } from '#apiserver/stored-object.ts'
import { keysOf } from '#simulator/kubernetes/objects.ts'
import { type PodView, podViewOf } from './pod-view.ts'

const PODS = keysOf('pods')

/** The pods of a cluster at a glance: those that are there at first, and then it is told of each change before anybody asks. */
export class PodIndex {
  readonly #views = new Map<string, PodView>()

  constructor(entries: Iterable<Entry>) {
    for (const { key, value } of entries) this.#views.set(key, podViewOf(key, objectIn({ value })))
  }

  see({ type, key, value }: Seen): void {
    if (!key.startsWith(PODS)) return
    if (type === 'remove') this.#views.delete(key)
    else this.#views.set(key, podViewOf(key, objectIn({ value })))
  }

  get(key: string): PodView | undefined {
    return this.#views.get(key)
  }

  /** The pod of a change, also if the change was its end. */
  touchedBy({ key, value }: Seen): PodView | undefined {
    if (!key.startsWith(PODS)) return undefined
    return this.#views.get(key) ?? podViewOf(key, objectIn({ value }))
  }

  /** In the order in which they came. */
  all(): PodView[] {
    return [...this.#views.values()]
  }

  of(ownerUid: string): PodView[] {
    return this.all().filter((pod) => pod.ownerUid === ownerUid)
  }

  on(node: string): PodView[] {
    return this.all().filter((pod) => pod.node === node)
  }
}
