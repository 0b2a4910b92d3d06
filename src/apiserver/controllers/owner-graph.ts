import { isDeepStrictEqual } from 'node:util'
import { type Fields, fieldsAt, isFields, listAt, textAt } from '#apiserver/objects.ts'
import { objectIn } from '#apiserver/stored-object.ts'

/** As an object names one that it depends on. */
export interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid: string
  blockOwnerDeletion: boolean
}

const MENTION = Buffer.from('"ownerReferences":')

/** Who depends on whom, by uid of the owner and key of the dependent. */
export class OwnerGraph {
  readonly #owners = new Map<string, readonly string[]>()
  readonly #dependents = new Map<string, Set<string>>()

  /** Takes note of an object. Returns whether its owners are others than before. */
  put(key: string, value: Buffer): boolean {
    // Most objects have none, and are not worth parsing.
    const owners = value.includes(MENTION) ? ownersIn(objectIn({ value })) : []
    const uids = owners.map(({ uid }) => uid)
    if (isDeepStrictEqual(uids, this.#owners.get(key) ?? [])) return false
    this.remove(key)
    if (uids.length > 0) this.#owners.set(key, uids)
    for (const uid of uids) {
      const dependents = this.#dependents.get(uid) ?? new Set()
      this.#dependents.set(uid, dependents.add(key))
    }
    return true
  }

  remove(key: string): void {
    for (const uid of this.#owners.get(key) ?? []) {
      const dependents = this.#dependents.get(uid)
      dependents?.delete(key)
      if (dependents?.size === 0) this.#dependents.delete(uid)
    }
    this.#owners.delete(key)
  }

  dependentsOf(uid: string): string[] {
    return [...(this.#dependents.get(uid) ?? [])]
  }
}

export const ownersIn = (object: Fields): OwnerReference[] =>
  listAt(fieldsAt(object, 'metadata'), 'ownerReferences')
    .filter(isFields)
    .map((reference) => ({
      apiVersion: textAt(reference, 'apiVersion') ?? '',
      kind: textAt(reference, 'kind') ?? '',
      name: textAt(reference, 'name') ?? '',
      uid: textAt(reference, 'uid') ?? '',
      blockOwnerDeletion: reference.blockOwnerDeletion === true,
    }))
