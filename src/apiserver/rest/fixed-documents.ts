import { versionDocument } from '#apiserver/discovery/version.ts'
import type { SigningKey } from '#apiserver/security/json-web-token.ts'
import { keySetOf, openidConfiguration } from '#apiserver/security/openid.ts'
import { type Answer, prettyJson } from './answer.ts'

const FOR_AN_HOUR = { 'cache-control': 'public, max-age=3600' }

interface Facts {
  issuer: string
  key: SigningKey
  /** Which Kubernetes this is; its own unless told. */
  version?: (() => string | undefined) | undefined
}

/** Documents that follow from little, by path: which version this is, and how tokens can be checked. */
export const fixedDocuments = ({
  issuer,
  key,
  version,
}: Facts): Readonly<Record<string, () => Answer>> => ({
  '/version': () => ({
    code: 200,
    // Kubernetes has always shown it to people.
    body: prettyJson(versionDocument(version?.())),
    contentType: 'application/json',
  }),
  '/openid/v1/jwks': () => ({
    code: 200,
    body: JSON.stringify(keySetOf(key)),
    contentType: 'application/jwk-set+json',
    headers: FOR_AN_HOUR,
  }),
  '/.well-known/openid-configuration': () => ({
    code: 200,
    body: JSON.stringify(openidConfiguration(issuer, 'https://localhost', key.algorithm)),
    contentType: 'application/json',
    headers: FOR_AN_HOUR,
  }),
})
