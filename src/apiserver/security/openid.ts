import type { Fields } from '#apiserver/objects.ts'
import type { SigningKey } from './json-web-token.ts'

/** What is served at `/openid/v1/jwks`, as `application/jwk-set+json`: the key to check tokens with. */
export function keySetOf({ publicKey, id }: SigningKey): Fields {
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' })
  return { keys: [{ use: 'sig', kty, kid: id, crv, alg: 'ES256', x, y }] }
}

/** What is served at `/.well-known/openid-configuration`. `server` is how others reach this API. */
export const openidConfiguration = (issuer: string, server: string): Fields => ({
  issuer,
  jwks_uri: `${server}/openid/v1/jwks`,
  response_types_supported: ['id_token'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['ES256'],
})
