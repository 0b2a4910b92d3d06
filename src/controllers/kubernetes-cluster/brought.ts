import { X509Certificate } from 'node:crypto'
import { Secret } from '#base/secret.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import { Refusal } from '#machineconfig/read/refusal.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { demandPair } from '#machineconfig/secrets/demand-pem.ts'
import { decodedPem } from '#machineconfig/secrets/encoded-pem.ts'
import { privateKeyOf, talosPem } from '#machineconfig/secrets/private-key.ts'

/** The part of a cluster's secrets that a user brings along. */
export type Brought = Partial<Pick<SecretsBundle, 'trustdToken' | 'talos'>>

/** The same as texts: PEM, or PEM in base64 as Talos has it in its own files. */
export interface BroughtTexts {
  token?: string | undefined
  crt?: string | undefined
  key?: string | undefined
}

/** What is in these texts, or what is wrong with them: a clause that holds no value. */
export function broughtIn({ token, crt, key }: BroughtTexts): Brought | string {
  const trustdToken = token?.trim()
  const own = trustdToken ? { trustdToken: new Secret(trustdToken) } : {}
  if (!crt && !key) return own
  if (!crt || !key) return 'has one of certificate and key without the other: both belong together'
  try {
    return { ...own, talos: pairOf(crt, key) }
  } catch (error) {
    if (error instanceof ConfigError) return `has a CA that cannot be used: ${error.message}`
    throw error
  }
}

/** What of it is another one than in the bundle, in words; undefined if nothing is. No value is told. */
export function differenceIn(brought: Brought, bundle: SecretsBundle): string | undefined {
  const { trustdToken, talos } = brought
  const isOtherToken = trustdToken && trustdToken.open() !== bundle.trustdToken.open()
  // Keys are those of their certificates, which was checked when they were read.
  const isOtherCa = talos && marksOf(talos.certificate) !== marksOf(bundle.talos.certificate)
  const words = [...(isOtherToken ? ['token'] : []), ...(isOtherCa ? ['CA'] : [])]
  return words.length > 0 ? words.join(' and ') : undefined
}

const marksOf = (certificate: string): string => new X509Certificate(certificate).fingerprint256

function pairOf(crt: string, key: string): SecretsBundle['talos'] {
  const pair = demandPair({ certificate: pemIn(crt), key: new Secret(pemIn(key)) })
  const own = privateKeyOf(pair.key)
  if (!new X509Certificate(pair.certificate).checkPrivateKey(own)) {
    throw new ConfigError('the key is not that of the certificate')
  }
  return { certificate: pair.certificate, key: talosPem(own) }
}

function pemIn(text: string): string {
  if (text.includes('-----BEGIN')) return text
  const pem = decodedPem(text.trim())
  return pem instanceof Refusal ? text : pem
}
