import { createPrivateKey, X509Certificate } from 'node:crypto'

const BLOCK = /-----BEGIN ([^\n-]*)-----[ \t\r]*\n([\s\S]*?)\n?-----END \1-----/g

/** What is between the lines of a PEM text, block by block. */
const blocksIn = (text: string): { label: string; bytes: Buffer }[] =>
  [...text.matchAll(BLOCK)].flatMap(([, label = '', body = '']) => {
    const digits = body.replace(/^(?:[^\n:]*: [^\n]*\n)+\n/, '').replace(/\s/g, '')
    const isWhole = /^[A-Za-z0-9+/]*={0,2}$/.test(digits) && digits.length % 4 === 0
    return isWhole ? [{ label, bytes: Buffer.from(digits, 'base64') }] : []
  })

/** Whether a PEM text holds a certificate that can be read. */
export const hasCertificate = (text: string): boolean =>
  blocksIn(text).some(({ label, bytes }) => label === 'CERTIFICATE' && isCertificate(bytes))

/** What is wrong with the first block as a certificate. */
export function certificateProblem(text: string): string | undefined {
  const [block] = blocksIn(text)
  if (block === undefined) return 'failed to parse PEM block'
  if (isCertificate(block.bytes)) return undefined
  return 'failed to parse certificate: x509: malformed certificate'
}

/** What is wrong with the first block as a private key in PKCS#8. Says nothing of its content. */
export function privateKeyProblem(text: string): string | undefined {
  const [block] = blocksIn(text)
  if (block === undefined) return 'failed to parse PEM block'
  if (isKey(block.bytes, 'pkcs8')) return undefined
  if (block.bytes.length === 0) {
    return 'failed to parse key: asn1: syntax error: sequence truncated'
  }
  for (const [type, parser] of OTHER_KEYS) {
    if (isKey(block.bytes, type)) {
      return `failed to parse key: x509: failed to parse private key (use ${parser} instead for this key format)`
    }
  }
  return "failed to parse key: asn1: structure error: tags don't match"
}

const OTHER_KEYS = [
  ['sec1', 'ParseECPrivateKey'],
  ['pkcs1', 'ParsePKCS1PrivateKey'],
] as const

const isCertificate = (der: Buffer): boolean => succeeds(() => new X509Certificate(der))

const isKey = (key: Buffer, type: 'pkcs8' | 'sec1' | 'pkcs1'): boolean =>
  succeeds(() => createPrivateKey({ key, format: 'der', type }))

function succeeds(attempt: () => unknown): boolean {
  try {
    attempt()
    return true
  } catch {
    return false
  }
}
