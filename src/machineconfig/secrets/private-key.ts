import { createPrivateKey, generateKeyPair, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { valuesIn } from '#base/der.ts'
import { Secret } from '#base/secret.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import { firstPemBlock, type PemBlock, pemText } from './pem.ts'

/** What Talos signs with. Who gets a certificate has a key of the same family as who signs it. */
export type KeyFamily = 'ed25519' | 'ecdsa' | 'rsa'

const generate = promisify(generateKeyPair)

/** A new private key. One of RSA takes seconds and is made by another thread; the others take less than asking one. */
export async function newPrivateKey(family: KeyFamily): Promise<KeyObject> {
  switch (family) {
    case 'ed25519':
      return generateKeyPairSync('ed25519').privateKey
    case 'ecdsa':
      return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    case 'rsa':
      return (await generate('rsa', { modulusLength: 4096 })).privateKey
  }
}

/** The family of a key. Throws when it is one that certificates are not signed with. */
export function familyOf({ asymmetricKeyType }: KeyObject): KeyFamily {
  if (asymmetricKeyType === 'ec') return 'ecdsa'
  if (asymmetricKeyType === 'ed25519' || asymmetricKeyType === 'rsa') return asymmetricKeyType
  throw new ConfigError(`certificates are not signed with a key of type ${asymmetricKeyType}`)
}

/** A private key as PEM, under the label that Talos gives it and in the form that goes with that. */
export function talosPem(key: KeyObject): Secret<string> {
  switch (familyOf(key)) {
    case 'ed25519':
      return new Secret(pemText({ label: ED25519, der: key.export(PKCS8_DER) }))
    case 'ecdsa':
      return new Secret(key.export({ type: 'sec1', format: 'pem' }).toString())
    case 'rsa':
      return new Secret(key.export({ type: 'pkcs1', format: 'pem' }).toString())
  }
}

/** The same as every other program reads it. */
export const plainPem = (key: KeyObject): Secret<string> =>
  new Secret(key.export({ type: 'pkcs8', format: 'pem' }).toString())

const ED25519 = 'ED25519 PRIVATE KEY'
const PKCS8_DER = { type: 'pkcs8', format: 'der' } as const

type Form = 'pkcs1' | 'sec1' | 'pkcs8'

interface LabelledForm {
  readonly type: Form
  /** The ASN.1 tag of what follows the version. */
  readonly second: number
  readonly named: string
}

const FORMS: ReadonlyMap<string, LabelledForm> = new Map([
  ['RSA PRIVATE KEY', { type: 'pkcs1', second: 0x02, named: 'RSA key' }],
  ['EC PRIVATE KEY', { type: 'sec1', second: 0x04, named: 'ECDSA key' }],
  [ED25519, { type: 'pkcs8', second: 0x30, named: 'Ed25519 key' }],
  ['PRIVATE KEY', { type: 'pkcs8', second: 0x30, named: 'key' }],
])

/** A private key from its PEM, under any label that Talos takes. Throws in its words. */
export function privateKeyOf(pem: Secret<string>): KeyObject {
  const block = firstPemBlock(pem.open())
  if (!block) throw new ConfigError('failed to parse PEM block')
  const form = FORMS.get(block.label)
  if (!form) {
    throw new ConfigError(`unsupported key type: ${JSON.stringify(block.label.slice(0, 40))}`)
  }
  const key = parsed(block, form)
  if (!key) throw new ConfigError(`failed to parse ${form.named}: it is not one, or is damaged`)
  if (block.label === ED25519 && key.asymmetricKeyType !== 'ed25519') {
    throw new ConfigError('failed parsing Ed25519 key, got wrong key type')
  }
  return key
}

function parsed({ der }: PemBlock, { type, second }: LabelledForm): KeyObject | undefined {
  try {
    // OpenSSL takes any form for any other, which Go does not.
    const [whole] = valuesIn(der)
    if (whole && valuesIn(whole.content)[1]?.tag !== second) return undefined
    return createPrivateKey({ key: der, format: 'der', type })
  } catch {
    return undefined
  }
}
