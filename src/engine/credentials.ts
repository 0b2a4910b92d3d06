import { createHash } from 'node:crypto'
import type { Clock } from '#base/clock.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { adminCertificate } from '#machineconfig/secrets/certificates.ts'
import type { ClusterAccess } from '#talos/machine-target.ts'
import { RenewedCertificate } from './credentials-renewed.ts'

const MOST_KEPT = 2_000

interface Kept {
  /** Of the authority that signs; of no use to whoever wants to know it. */
  identity: string
  access: RenewedCertificate<ClusterAccess>
}

/**
 * Our access to the machines of clusters as `os:admin`, made from their bundles and kept in memory: for
 * each cluster one, until half of its life is over or the bundle is another.
 */
export class Credentials {
  readonly #clock: Clock
  readonly #mostKept: number
  readonly #kept = new Map<string, Kept>()

  /** `mostKept`: of how many clusters. Who was asked for longest ago goes first, and is made anew if need be. */
  constructor({ clock, mostKept = MOST_KEPT }: { clock: Clock; mostKept?: number }) {
    this.#clock = clock
    this.#mostKept = mostKept
  }

  /** The access to a cluster, which is called by any text of the caller's. */
  of(bundle: SecretsBundle, cluster: string): Promise<ClusterAccess> {
    const identity = identityOf(bundle)
    const known = this.#kept.get(cluster)
    const kept = known?.identity === identity ? known : { identity, access: this.#accessBy(bundle) }
    // Whoever was asked for last stands last.
    this.#kept.delete(cluster)
    this.#kept.set(cluster, kept)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > this.#mostKept && oldest !== undefined) this.#kept.delete(oldest)
    return kept.access.current()
  }

  /** For a cluster that is gone. */
  forget(cluster: string): void {
    this.#kept.delete(cluster)
  }

  #accessBy({ talos }: SecretsBundle): RenewedCertificate<ClusterAccess> {
    return new RenewedCertificate({
      clock: this.#clock,
      authority: talos.certificate,
      make: async (life): Promise<ClusterAccess> => {
        const client = await adminCertificate({ ca: talos, roles: ['os:admin'], ...life })
        return { kind: 'cluster', authority: talos.certificate, ...client }
      },
    })
  }
}

const identityOf = ({ cluster, talos }: SecretsBundle): string =>
  createHash('sha256')
    .update(JSON.stringify([cluster.id, talos.certificate, talos.key.open()]))
    .digest('base64')
