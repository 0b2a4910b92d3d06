import type { CertificateAndKey } from './bundle.ts'
import { issueLeaf } from './leaf.ts'

const YEAR_MS = 365 * 24 * 3_600_000
/** By which clocks may differ. */
const SKEW_MS = 10_000

export interface TalosClient {
  /** Of the Talos API. */
  readonly ca: CertificateAndKey
  /** `os:admin`, `os:operator`, `os:reader` … Unknown ones are kept and grant nothing. */
  readonly roles: readonly string[]
  /** Left out: a year. */
  readonly lifetimeMs?: number
  readonly now: Date
}

/** With which a client shows machines what it may do. */
export const adminCertificate = (client: TalosClient): Promise<CertificateAndKey> =>
  issueLeaf(client.ca, {
    organizations: [...new Set(client.roles)].sort(),
    usage: 'client',
    notBefore: client.now,
    lifetimeMs: client.lifetimeMs ?? YEAR_MS,
  })

export interface KubernetesClient {
  /** Of Kubernetes. */
  readonly ca: CertificateAndKey
  readonly user: string
  readonly groups: readonly string[]
  /** From now on. Left out: a year. */
  readonly lifetimeMs?: number
  readonly now: Date
}

/** With which a user shows Kubernetes who it is. Good from a little before now. */
export const kubernetesClientCertificate = (client: KubernetesClient): Promise<CertificateAndKey> =>
  issueLeaf(client.ca, {
    commonName: client.user,
    organizations: client.groups,
    usage: 'client',
    encipherment: true,
    notBefore: new Date(client.now.getTime() - SKEW_MS),
    lifetimeMs: (client.lifetimeMs ?? YEAR_MS) + SKEW_MS,
  })

/** The same for the user that may do everything, as Talos puts it into a kubeconfig. */
export const kubernetesAdminCertificate = (
  admin: Omit<KubernetesClient, 'user' | 'groups'>,
): Promise<CertificateAndKey> =>
  kubernetesClientCertificate({ ...admin, user: 'admin', groups: ['system:masters'] })
