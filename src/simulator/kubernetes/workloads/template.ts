import { createHash } from 'node:crypto'
import { type Fields, fieldsAt, isFields } from '#apiserver/objects.ts'
import { nameOf, uidOf } from '#simulator/kubernetes/objects.ts'

// As Kubernetes' own: no vowels, so that no words come of it.
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789'
const HASH_LENGTH = 10

/** A short name for a template: another one for another template. */
export function templateHash(template: Fields): string {
  const digest = createHash('sha256').update(canonical(template)).digest()
  return [...digest.subarray(0, HASH_LENGTH)].map((byte) => LETTERS[byte % LETTERS.length]).join('')
}

/** The order of keys says nothing. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    isFields(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

export const ownerReference = (apiVersion: string, kind: string, owner: Fields): Fields => ({
  apiVersion,
  kind,
  name: nameOf(owner),
  uid: uidOf(owner),
  controller: true,
  blockOwnerDeletion: true,
})

/** What a pod of a template is to be, but for its name. */
export function podOf(
  template: Fields,
  { owner, labels = {} }: { owner: Fields; labels?: Fields },
): Fields & { metadata: Fields; spec: Fields } {
  const metadata = fieldsAt(template, 'metadata')
  return {
    metadata: {
      ...(isFields(metadata.annotations) && { annotations: metadata.annotations }),
      labels: { ...fieldsAt(metadata, 'labels'), ...labels },
      ownerReferences: [owner],
    },
    spec: fieldsAt(template, 'spec'),
  }
}

/** A number, or a share of another one: `25%`. */
export function countOf(
  value: unknown,
  whole: number,
  round: (count: number) => number = Math.ceil,
): number {
  if (typeof value === 'string') return round((Number.parseInt(value, 10) * whole) / 100) || 0
  return Number(value ?? 0)
}

/** Left out of a status when it is 0. */
export const unlessZero = (count: number): number | undefined => count || undefined
