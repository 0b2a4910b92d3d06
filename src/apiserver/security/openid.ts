import type { Fields } from '#apiserver/objects.ts'
import type { SigningKey } from './json-web-token.ts'

/** What is served at `/openid/v1/jwks`, as `application/jwk-set+json`: the key to check tokens with. */
export function keySetOf({ publicKey, id, algorithm }: SigningKey): Fields {
  const { kty, crv, x, y, n, e } = publicKey.export({ format: 'jwk' })
  const numbers = algorithm === 'RS256' ? { n, e } : { x, y }
  return { keys: [{ use: 'sig', kty, kid: id, ...(crv && { crv }), alg: algorithm, ...numbers }] }
}

/** What is served at `/.well-known/openid-configuration`. `server` is how others reach this API. */
export const openidConfiguration = (
  issuer: string,
  server: string,
  algorithm: SigningKey['algorithm'] = 'ES256',
): Fields => ({
  issuer,
  jwks_uri: `${server}/openid/v1/jwks`,
  response_types_supported: ['id_token'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: [algorithm],
})
