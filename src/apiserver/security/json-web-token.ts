import { createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'
import { type Fields, isFields } from '#apiserver/objects.ts'

/** A key that signs tokens, and the name that tokens call it by. */
export interface SigningKey {
  privateKey: KeyObject
  publicKey: KeyObject
  id: string
}

export function signingKeyOf(privateKey: KeyObject): SigningKey {
  const publicKey = createPublicKey(privateKey)
  const der = publicKey.export({ type: 'spki', format: 'der' })
  return { privateKey, publicKey, id: hash('sha256', der, 'base64url') }
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A JSON web token (ES256) in its compact form. */
export function signToken(claims: Fields, { privateKey, id }: SigningKey): string {
  const signed = `${encoded({ alg: 'ES256', kid: id })}.${encoded(claims)}`
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
export function isSigned(token: ParsedToken, { publicKey }: SigningKey): boolean {
  if (token.header.alg !== 'ES256' || !BASE64URL.test(token.signature)) return false
  const signature = Buffer.from(token.signature, 'base64url')
  return (
    signature.length === SIGNATURE_BYTES &&
    verify(
      'sha256',
      Buffer.from(token.signed),
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      signature,
    )
  )
}

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
