import type { Secret } from '#base/secret.ts'

/** A certificate, as PEM text, and its private key, as PEM text under the label that Talos gives it. */
export interface CertificateAndKey {
  readonly certificate: string
  readonly key: Secret<string>
}

/** The keys and tokens that make a cluster itself. Made once; whoever has them is the cluster. */
export interface SecretsBundle {
  readonly cluster: { readonly id: string; readonly secret: Secret<string> }
  readonly bootstrapToken: Secret<string>
  /** Exactly one of the two is there: `aescbc` only for contracts up to v1.2, which may be imported. */
  readonly encryption: { readonly as: 'secretbox' | 'aescbc'; readonly secret: Secret<string> }
  /** With which machines ask the control plane for their certificates. */
  readonly trustdToken: Secret<string>
  readonly etcd: CertificateAndKey
  readonly kubernetes: CertificateAndKey
  readonly aggregator: CertificateAndKey
  /** PEM of the key that signs service-account tokens. */
  readonly serviceAccountKey: Secret<string>
  /** Of the Talos API. */
  readonly talos: CertificateAndKey
}
