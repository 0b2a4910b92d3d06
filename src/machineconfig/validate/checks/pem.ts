import { createPrivateKey, X509Certificate } from 'node:crypto'
import { quote } from '#machineconfig/quote.ts'
import { pemBlocks } from '#machineconfig/secrets/pem.ts'

/** Whether a PEM text holds a certificate that can be read. */
export const hasCertificate = (text: string): boolean =>
  [...pemBlocks(text)].some(({ label, der }) => label === 'CERTIFICATE' && isCertificate(der))

/** Whether there are blocks, all of one label if one is given; nothing of them is read. */
export function blocksProblem(text: string, label?: string): string | undefined {
  const blocks = [...pemBlocks(text)]
  const odd = blocks.find((block) => label !== undefined && block.label !== label)
  if (odd) return `unexpected PEM block type ${quote(odd.label)}, expected one of ["${label}"]`
  return blocks.length === 0 ? 'no PEM blocks found' : undefined
}

/** What v1.14 has against a certificate and its key, whose content it does not look at. */
export function pairProblem(certificate: string, key: string): string | undefined {
  if (certificate === '') return 'certificate is required'
  if (key === '') return 'key is required'
  const problem = blocksProblem(certificate, 'CERTIFICATE')
  if (problem !== undefined) return `certificate: ${problem}`
  const keyProblem = blocksProblem(key)
  return keyProblem === undefined ? undefined : `key: ${keyProblem}`
}

/** What is wrong with the first block as a certificate. */
export function certificateProblem(text: string): string | undefined {
  const [block] = [...pemBlocks(text)]
  if (block === undefined) return 'failed to parse PEM block'
  if (isCertificate(block.der)) return undefined
  return 'failed to parse certificate: x509: malformed certificate'
}

/** What is wrong with the first block as a private key in PKCS#8. Says nothing of its content. */
export function privateKeyProblem(text: string): string | undefined {
  const [block] = [...pemBlocks(text)]
  if (block === undefined) return 'failed to parse PEM block'
  if (isKey(block.der, 'pkcs8')) return undefined
  if (block.der.length === 0) {
    return 'failed to parse key: asn1: syntax error: sequence truncated'
  }
  for (const [type, parser] of OTHER_KEYS) {
    if (isKey(block.der, type)) {
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
