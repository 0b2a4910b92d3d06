import { type Fields, fieldsAt, listAt } from '#apiserver/objects.ts'
import type { Store } from '#apiserver/store/store.ts'
import { objectIn } from '#apiserver/stored-object.ts'
import type { NodeView } from './cluster-kubernetes.ts'
import { keyOfId, metadataOf, specOf } from './objects.ts'
import { conditionOf } from './pods/pod-view.ts'

/** Nodes as machines look at them: read once for each change. */
export class NodeViews {
  readonly #seen = new Map<string, { revision: number; view: NodeView }>()

  of(store: Store, name: string): NodeView | undefined {
    const entry = store.get(keyOfId({ plural: 'nodes', namespace: '', name }))
    if (!entry) {
      this.#seen.delete(name)
      return undefined
    }
    const known = this.#seen.get(name)
    if (known?.revision === entry.revision) return known.view
    const view = viewOf(objectIn(entry))
    this.#seen.set(name, { revision: entry.revision, view })
    return view
  }

  /** As somebody looked at it last: a machine knows its node also while no API answers. */
  last(name: string): NodeView | undefined {
    return this.#seen.get(name)?.view
  }

  /** Nobody on its machine remembers it. */
  forget(name: string): void {
    this.#seen.delete(name)
  }

  /** The store is another one. */
  clear(): void {
    this.#seen.clear()
  }
}

const viewOf = (node: Fields): NodeView => ({
  isReady: conditionOf(node, 'Ready')?.status === 'True',
  isUnschedulable: specOf(node).unschedulable === true,
  labels: textsAt(metadataOf(node), 'labels'),
  annotations: textsAt(metadataOf(node), 'annotations'),
  podCidrs: listAt(specOf(node), 'podCIDRs').map(String),
})

const textsAt = (fields: Fields, key: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fieldsAt(fields, key)).map(([name, value]) => [name, String(value)]),
  )
