import { Secret as SecretKind } from '#api/foreign.ts'
import { TALOS_GROUP } from '#api/meta.ts'
import type { Secret } from '#base/secret.ts'
import type { Writer } from '#runtime/writer.ts'
import { holds, type SecretDraft } from './cluster-secrets-draft.ts'
import type { SecretObject } from './cluster-secrets-entry.ts'

/** What is to be done about a Secret `<parent>-config`; nothing if it says all that it should. */
export type ConfigDue = 'create' | 'update' | 'taken' | undefined

/** Compares it with what it should be. `taken`: it is somebody else's, and nothing is put into it. */
export function configDue(secret: SecretObject | undefined, draft: Secret<SecretDraft>): ConfigDue {
  if (!secret) return 'create'
  const isOurs = (secret.metadata.ownerReferences ?? []).some(({ apiVersion }) =>
    apiVersion.startsWith(`${TALOS_GROUP}/`),
  )
  if (!isOurs) return 'taken'
  return holds(secret, draft) ? undefined : 'update'
}

/** Writes it. A control plane and a pool may share it: each of them adds its own, and takes nothing away. */
export async function writeConfigSecret(
  write: Writer,
  draft: Secret<SecretDraft>,
  isNew: boolean,
): Promise<void> {
  const secret = draft.open()
  if (isNew) {
    // One that somebody made meanwhile is looked at first.
    await write.create(SecretKind, secret)
    return
  }
  const { name, ownerReferences } = secret.metadata
  const body = { metadata: { ownerReferences }, data: secret.data }
  await write.patch(SecretKind, name, { type: 'strategic', body })
}
