import { type Fields, fieldsAt, isFields, listAt, textAt } from '#apiserver/objects.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { metadataInSteps } from '#apiserver/stored-object.ts'

/** As an object names one that it depends on. */
export interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid: string
  blockOwnerDeletion: boolean
}

const MENTION = Buffer.from('"ownerReferences":')

type Bond = Pick<OwnerReference, 'uid' | 'blockOwnerDeletion'>

/** Who depends on whom, by uid of the owner and key of the dependent. */
export class OwnerGraph {
  readonly #bonds = new Map<string, readonly Bond[]>()
  readonly #dependents = new Map<string, Set<string>>();

  /** Takes note of an object. Returns whether its owners, or those whom it blocks, are others than before. */
  *put(key: string, value: Buffer): Steps<boolean> {
    // Most objects have none, and are not worth parsing.
    const metadata = value.includes(MENTION) ? yield* metadataInSteps({ value }) : {}
    const bonds: Bond[] = []
    for (const { uid, blockOwnerDeletion } of yield* ownersIn({ metadata })) {
      if (isDue()) yield
      bonds.push({ uid, blockOwnerDeletion })
    }
    if (areSame(bonds, this.#bonds.get(key) ?? [])) return false
    yield* this.remove(key)
    if (bonds.length > 0) this.#bonds.set(key, bonds)
    for (const { uid } of bonds) {
      if (isDue()) yield
      const dependents = this.#dependents.get(uid) ?? new Set()
      this.#dependents.set(uid, dependents.add(key))
    }
    return true
  }

  *remove(key: string): Steps<void> {
    for (const { uid } of this.#bonds.get(key) ?? []) {
      if (isDue()) yield
      const dependents = this.#dependents.get(uid)
      dependents?.delete(key)
      if (dependents?.size === 0) this.#dependents.delete(uid)
    }
    this.#bonds.delete(key)
  }

  dependentsOf(uid: string): string[] {
    return [...(this.#dependents.get(uid) ?? [])]
  }
}

const areSame = (some: readonly Bond[], others: readonly Bond[]): boolean =>
  some.length === others.length &&
  some.every(({ uid, blockOwnerDeletion }, index) => {
    const other = others[index]
    return other?.uid === uid && other.blockOwnerDeletion === blockOwnerDeletion
  })

/** Whom an object depends on. There may be very many. */
export function* ownersIn(object: Fields): Steps<OwnerReference[]> {
  const owners: OwnerReference[] = []
  for (const reference of listAt(fieldsAt(object, 'metadata'), 'ownerReferences')) {
    if (isDue()) yield
    if (isFields(reference)) owners.push(ownerIn(reference))
  }
  return owners
}

const ownerIn = (reference: Fields): OwnerReference => ({
  apiVersion: textAt(reference, 'apiVersion') ?? '',
  kind: textAt(reference, 'kind') ?? '',
  name: textAt(reference, 'name') ?? '',
  uid: textAt(reference, 'uid') ?? '',
  blockOwnerDeletion: reference.blockOwnerDeletion === true,
})
