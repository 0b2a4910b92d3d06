import type { Secret as SecretKind } from '#api/foreign.ts'
import type { OwnerReference } from '#api/meta.ts'
import { Secret } from '#base/secret.ts'
import type { Draft } from '#kube/client.ts'
import type { SecretObject } from './cluster-secrets-entry.ts'

/** A Secret to be written, in the namespace of the resource that it is written for. */
export type SecretDraft = Draft<typeof SecretKind> & { metadata: { name: string } }

interface Wanted {
  name: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
  finalizers?: string[]
  /** Left out: it stays whatever becomes of the one that it was made for. */
  owner?: OwnerReference
  /** Whether it can never be changed, only deleted. */
  immutable?: true
  entries: Record<string, Secret<string>>
}

/** The Secret with these entries. It is opened by who hands it to the writer, and by nobody else. */
export function draftOf({
  name,
  entries,
  owner,
  immutable,
  ...marks
}: Wanted): Secret<SecretDraft> {
  const encoded = Object.entries(entries).map(([key, text]) => [
    key,
    Buffer.from(text.open()).toString('base64'),
  ])
  return new Secret({
    metadata: { name, ...marks, ...(owner && { ownerReferences: [owner] }) },
    type: 'Opaque',
    ...(immutable && { immutable }),
    data: Object.fromEntries(encoded),
  })
}

/** Whether a Secret says all that the draft says, so that writing it would change nothing. */
export function holds(secret: SecretObject | undefined, draft: Secret<SecretDraft>): boolean {
  if (!secret) return false
  const { metadata, data } = draft.open()
  const owners = metadata.ownerReferences ?? []
  const present = new Set(secret.metadata.ownerReferences?.map(({ uid }) => uid))
  return (
    contains(secret.data, data) &&
    contains(secret.metadata.labels, metadata.labels) &&
    contains(secret.metadata.annotations, metadata.annotations) &&
    owners.every(({ uid }) => present.has(uid))
  )
}

type Texts = Record<string, string | undefined>

const contains = (whole: Texts = {}, part: Texts = {}): boolean =>
  Object.entries(part).every(([key, value]) => Object.hasOwn(whole, key) && whole[key] === value)
