import type { ApiKind, KubeObject } from '#api/meta.ts'

/** An object as a user names it. */
export interface AnyRef {
  apiVersion: string
  kind: string
  name: string
}

/** An object that a resource depends on, whatever its kind, in the namespace of the resource or in none. */
export interface NamedObject extends AnyRef {
  /** What of it matters: a change of the rest wakes nobody. Left out: everything but its metadata. */
  part?: (object: object) => unknown
}

/** An object of which only the metadata has a shape that we know. */
export type AnyObject = KubeObject & Readonly<Record<string, unknown>>

/** Whether it is the kind of Secrets, which nobody can have read or watched by naming one. */
export const isSecret = ({ group, plural }: ApiKind): boolean =>
  group === '' && plural === 'secrets'
