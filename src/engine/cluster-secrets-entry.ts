import type { Secret as SecretKind } from '#api/foreign.ts'
import type { ObjectOf } from '#api/meta.ts'
import { Secret } from '#base/secret.ts'
import { decodeBase64 } from '#kube/kubeconfig-pem.ts'
import { RESTORE, unusable } from './cluster-secrets-error.ts'

/** A Secret as the API serves it. */
export type SecretObject = ObjectOf<typeof SecretKind>

const MEBIBYTE = 1024 * 1024
/** Kubernetes keeps no larger Secret. */
const MOST_LETTERS = Math.ceil((MEBIBYTE * 4) / 3)

/** An entry of a Secret as messages call it. */
export const wordsForEntry = ({ metadata }: SecretObject, key: string): string =>
  `Secret ${metadata.namespace}/${metadata.name}, key ${JSON.stringify(key)}`

/** The text under a key of a Secret; undefined if there is none or it is empty. Throws a SecretsError if it is no text. */
export function textIn(secret: SecretObject, key: string): Secret<string> | undefined {
  const encoded = secret.data?.[key]
  if (!encoded) return undefined
  const where = wordsForEntry(secret, key)
  if (encoded.length > MOST_LETTERS) throw unusable(`${where} is longer than 1 MiB`, RESTORE)
  try {
    return new Secret(decodeBase64(encoded, where))
  } catch {
    throw unusable(`${where} is not base64`, RESTORE)
  }
}
