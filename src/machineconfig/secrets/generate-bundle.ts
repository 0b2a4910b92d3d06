import type { Secret } from '#base/secret.ts'
import { contractOf } from '#machineconfig/versions/contract.ts'
import { newAuthority } from './authority.ts'
import type { SecretsBundle } from './bundle.ts'
import { newPrivateKey, talosPem } from './private-key.ts'
import { newClusterId, newKeyText, newToken } from './random-text.ts'

/** What Kubernetes has of the secrets of a cluster. */
export type KubernetesSecrets = Pick<
  SecretsBundle,
  'etcd' | 'kubernetes' | 'aggregator' | 'serviceAccountKey'
>

/** What new secrets are made for. */
export interface NewBundle {
  /** The contract: `v1.13` or `v1.13.0`. */
  readonly talosVersion: string
  readonly now: Date
  /** Of a cluster that becomes one of Talos. Left out: new ones are made. */
  readonly kubernetes?: KubernetesSecrets
  /** With which new nodes join. Left out: a new one. */
  readonly bootstrapToken?: Secret<string>
}

const FIRST_WITH_RSA = 7

/** The secrets of a cluster that are not there yet. Throws when the version is none that is served. */
export async function generateBundle(given: NewBundle): Promise<SecretsBundle> {
  const { talosVersion, now } = given
  const contract = contractOf(talosVersion)
  const { etcd, kubernetes, aggregator, serviceAccountKey } =
    given.kubernetes ?? (await newKubernetesSecrets(contract, now))
  return {
    cluster: { id: newClusterId(contract), secret: newKeyText() },
    bootstrapToken: given.bootstrapToken ?? newToken(),
    encryption: { as: 'secretbox', secret: newKeyText() },
    trustdToken: newToken(),
    ...{ etcd, kubernetes, aggregator, serviceAccountKey },
    talos: await newAuthority({ family: 'ed25519', organization: 'talos', now }),
  }
}

async function newKubernetesSecrets(contract: number, now: Date): Promise<KubernetesSecrets> {
  const [accounts, authorities] = await Promise.all([
    newPrivateKey(contract < FIRST_WITH_RSA ? 'ecdsa' : 'rsa'),
    newAuthorities(now),
  ])
  return { ...authorities, serviceAccountKey: talosPem(accounts) }
}

async function newAuthorities(now: Date) {
  const ecdsa = { family: 'ecdsa', now } as const
  const etcd = await newAuthority({ ...ecdsa, organization: 'etcd' })
  const kubernetes = await newAuthority({ ...ecdsa, organization: 'kubernetes' })
  const aggregator = await newAuthority(ecdsa)
  return { etcd, kubernetes, aggregator }
}
