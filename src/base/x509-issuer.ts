import { X509Certificate } from 'node:crypto'
import { type DerValue, valuesIn } from './der.ts'
import { keyIdOf, SUBJECT_KEY_ID } from './x509-extensions.ts'

/** What a certificate says of who signed it is what the issuer's own says, byte by byte. */
interface Issuer {
  /** Its name as it is written in its certificate. */
  subject: Buffer
  keyId: Buffer
  notAfter: Date
}

const [VERSION_TAG, EXTENSIONS_TAG] = [0xa0, 0xa3]

/** Reads the certificate of an authority, PEM, whoever made it. Throws when it is none. */
export function readIssuer(certificate: string): Issuer {
  const { raw, validTo, publicKey } = new X509Certificate(certificate)
  const [toBeSigned] = inside(valuesIn(raw)[0])
  const fields = inside(toBeSigned)
  // Serial number, algorithm, issuer, validity, subject: the first certificates have no version before them.
  const subject = fields[fields[0]?.tag === VERSION_TAG ? 5 : 4]
  if (!subject) throw new RangeError('a certificate without a subject')
  return {
    subject: subject.whole,
    keyId: writtenKeyId(fields) ?? keyIdOf(publicKey.export({ type: 'spki', format: 'der' })),
    notAfter: new Date(validTo),
  }
}

function writtenKeyId(fields: readonly DerValue[]): Buffer | undefined {
  const [extensions] = inside(fields.find(({ tag }) => tag === EXTENSIONS_TAG))
  for (const extension of inside(extensions)) {
    const [id, ...rest] = inside(extension)
    if (id?.whole.equals(SUBJECT_KEY_ID)) return inside(rest.at(-1))[0]?.content
  }
  return undefined
}

const inside = (value: DerValue | undefined): DerValue[] => (value ? valuesIn(value.content) : [])
