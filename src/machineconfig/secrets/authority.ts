import { createAuthority } from '#base/x509.ts'
import type { CertificateAndKey } from './bundle.ts'
import { type KeyFamily, newPrivateKey, plainPem, talosPem } from './private-key.ts'

const LIFE_MS = 87_600 * 3_600_000

interface NewAuthority {
  readonly family: KeyFamily
  /** Left out: its subject is empty. */
  readonly organization?: string
  readonly now: Date
}

/** A new authority that signs itself, valid for ten years, as Talos makes them. */
export async function newAuthority({
  family,
  organization,
  now,
}: NewAuthority): Promise<CertificateAndKey> {
  const key = await newPrivateKey(family)
  const { certificate } = createAuthority(
    { usage: 'peer', organizations: organization === undefined ? [] : [organization] },
    plainPem(key),
    { notBefore: now, notAfter: new Date(now.getTime() + LIFE_MS) },
  )
  return { certificate, key: talosPem(key) }
}
