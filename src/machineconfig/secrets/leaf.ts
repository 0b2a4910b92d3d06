import { type CertificateRequest, issueCertificate } from '#base/x509.ts'
import type { CertificateAndKey } from './bundle.ts'
import { familyOf, newPrivateKey, plainPem, privateKeyOf, talosPem } from './private-key.ts'

/** What a certificate is to say; its key is of the family of the authority's. */
export type LeafRequest = Omit<CertificateRequest, 'validity' | 'key'> & {
  readonly notBefore: Date
  readonly lifetimeMs: number
}

/** A certificate by this authority, with a new key. It never outlives the authority. */
export async function issueLeaf(
  ca: CertificateAndKey,
  { notBefore, lifetimeMs, ...request }: LeafRequest,
): Promise<CertificateAndKey> {
  const signer = privateKeyOf(ca.key)
  const key = await newPrivateKey(familyOf(signer))
  const { certificate } = issueCertificate(
    { certificate: ca.certificate, key: plainPem(signer) },
    {
      ...request,
      validity: { notBefore, notAfter: new Date(notBefore.getTime() + lifetimeMs) },
      key: plainPem(key),
    },
  )
  return { certificate, key: talosPem(key) }
}
