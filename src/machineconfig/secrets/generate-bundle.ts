import { contractOf } from '#machineconfig/versions/contract.ts'
import { newAuthority } from './authority.ts'
import type { SecretsBundle } from './bundle.ts'
import { newPrivateKey, talosPem } from './private-key.ts'
import { newClusterId, newKeyText, newToken } from './random-text.ts'

interface NewBundle {
  /** The contract: `v1.13` or `v1.13.0`. */
  readonly talosVersion: string
  readonly now: Date
}

const FIRST_WITH_RSA = 7

/** All the secrets of a new cluster. Throws when the version is none that is served. */
export async function generateBundle({ talosVersion, now }: NewBundle): Promise<SecretsBundle> {
  const contract = contractOf(talosVersion)
  const ecdsa = { family: 'ecdsa', now } as const
  const [accounts, etcd, kubernetes, aggregator, talos] = await Promise.all([
    newPrivateKey(contract < FIRST_WITH_RSA ? 'ecdsa' : 'rsa'),
    newAuthority({ ...ecdsa, organization: 'etcd' }),
    newAuthority({ ...ecdsa, organization: 'kubernetes' }),
    newAuthority(ecdsa),
    newAuthority({ family: 'ed25519', organization: 'talos', now }),
  ])
  return {
    cluster: { id: newClusterId(contract), secret: newKeyText() },
    bootstrapToken: newToken(),
    encryption: { as: 'secretbox', secret: newKeyText() },
    trustdToken: newToken(),
    ...{ etcd, kubernetes, aggregator, talos },
    serviceAccountKey: talosPem(accounts),
  }
}
