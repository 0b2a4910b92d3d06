import { createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'
import { type Fields, isFields } from '#apiserver/objects.ts'

/** A key that signs tokens, and the name that tokens call it by. */
export interface SigningKey {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly id: string
  /** RS256 for RSA, ES256 for the curve P-256. */
  readonly algorithm: 'ES256' | 'RS256'
}

export const signingKeyOf = (privateKey: KeyObject): SigningKey =>
  signingKeyWhenUsed(() => privateKey)

/** A key that is not opened before something is signed or checked: to read one of RSA takes long. */
export function signingKeyWhenUsed(open: () => KeyObject): SigningKey {
  let made: SigningKey | undefined
  const key = (): SigningKey => {
    made ??= opened(open())
    return made
  }
  return {
    get privateKey() {
      return key().privateKey
    },
    get publicKey() {
      return key().publicKey
    },
    get id() {
      return key().id
    },
    get algorithm() {
      return key().algorithm
    },
  }
}

function opened(privateKey: KeyObject): SigningKey {
  const publicKey = createPublicKey(privateKey)
  const der = publicKey.export({ type: 'spki', format: 'der' })
  const algorithm = privateKey.asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256'
  return { privateKey, publicKey, id: hash('sha256', der, 'base64url'), algorithm }
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A JSON web token in its compact form. */
export function signToken(claims: Fields, { privateKey, id, algorithm }: SigningKey): string {
  const signed = `${encoded({ alg: algorithm, kid: id })}.${encoded(claims)}`
  // With a key of RSA the encoding of the two numbers of a signature means nothing.
  const signature = sign('sha256', Buffer.from(signed), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  })
  return `${signed}.${signature.toString('base64url')}`
}

/** A token that was taken apart. Nothing in it is to be believed before `isSigned` says so. */
export interface ParsedToken {
  header: Fields
  claims: Fields
  signed: string
  signature: string
}

/** Undefined for what is no JSON web token in compact form. */
export function parseToken(token: string): ParsedToken | undefined {
  const [header = '', claims = '', signature, more] = token.split('.')
  if (signature === undefined || more !== undefined) return undefined
  const parsed = { header: decoded(header), claims: decoded(claims) }
  if (!parsed.header || !parsed.claims) return undefined
  const { header: head, claims: body } = parsed
  return { header: head, claims: body, signed: `${header}.${claims}`, signature }
}

/** Whether the key signed it. The key says how, never the token: `alg` must be what the key does. */
export function isSigned(token: ParsedToken, { publicKey, algorithm }: SigningKey): boolean {
  if (token.header.alg !== algorithm || !BASE64URL.test(token.signature)) return false
  const signature = Buffer.from(token.signature, 'base64url')
  return (
    (algorithm === 'RS256' || signature.length === SIGNATURE_BYTES) &&
    verify(
      'sha256',
      Buffer.from(token.signed),
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      signature,
    )
  )
}

// Of ES256: two numbers of the curve.
const SIGNATURE_BYTES = 64
const BASE64URL = /^[\w-]+$/

function decoded(text: string): Fields | undefined {
  if (!BASE64URL.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}
