import type { ValueMap } from '#machineconfig/document.ts'
import type { CertificateAndKey } from '#machineconfig/secrets/bundle.ts'
import { encodedPem } from '#machineconfig/secrets/encoded-pem.ts'

/** For machines that issue certificates. */
export const certificateAndKey = ({ certificate, key }: CertificateAndKey): ValueMap => ({
  crt: encodedPem(certificate),
  key: encodedPem(key.open()),
})

/** For machines that only have to know who issues them. */
export const certificateOnly = ({ certificate }: CertificateAndKey): ValueMap => ({
  crt: encodedPem(certificate),
})
