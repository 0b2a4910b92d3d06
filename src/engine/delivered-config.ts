import type { KubeObject, OwnerReference } from '#api/meta.ts'
import { Secret } from '#base/secret.ts'
import { draftOf, type SecretDraft } from './cluster-secrets-draft.ts'

interface GeneratedConfig {
  owner: OwnerReference
  /** Of a control plane or of a pool of workers. */
  key: 'controlplane.yaml' | 'worker.yaml'
  text: Secret<string>
}

/**
 * The Secret `<parent>-config` with a generated configuration, in base64 as Talos takes it for user
 * data. A control plane and a pool of the same name share it, one key each, so neither controls it.
 */
export function configSecret(
  { metadata }: KubeObject,
  { owner, key, text }: GeneratedConfig,
): Secret<SecretDraft> {
  const { apiVersion, kind, name, uid } = owner
  return draftOf({
    name: `${metadata.name}-config`,
    owner: { apiVersion, kind, name, uid },
    entries: { [key]: new Secret(Buffer.from(text.open()).toString('base64')) },
  })
}
