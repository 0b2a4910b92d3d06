import { randomUUID } from 'node:crypto'
import { type Fields, fieldsAt, listAt, textAt } from '#apiserver/objects.ts'
import { type AccountName, userNameOf } from './account-name.ts'

/** An object that a token names: it is valid as long as that object lives. */
export interface Reference {
  name: string
  uid: string
}

/** What a token says about a service account. */
export interface AccountClaims extends AccountName {
  uid: string
  bound: Partial<Record<'pod' | 'secret' | 'node', Reference>>
  audiences: readonly string[]
  issuedAt: number
  expiresAt: number
  /** After this time, clients that still use the token are behind. */
  warnAfter?: number
}

export const LEGACY_ISSUER = 'kubernetes/serviceaccount'
const LEGACY = 'kubernetes.io/serviceaccount/'

const refOf = ({ name, uid }: Reference): Fields => ({ name, ...(uid && { uid }) })

/** The claims of a token that expires, as Kubernetes writes them. */
export function claimsOf(claims: AccountClaims, issuer: string): Fields {
  const { pod, secret, node } = claims.bound
  return {
    aud: claims.audiences,
    exp: claims.expiresAt,
    iat: claims.issuedAt,
    iss: issuer,
    jti: randomUUID(),
    'kubernetes.io': {
      namespace: claims.namespace,
      ...(node && { node: refOf(node) }),
      ...(pod && { pod: refOf(pod) }),
      ...(secret && { secret: refOf(secret) }),
      serviceaccount: refOf(claims),
      ...(claims.warnAfter && { warnafter: claims.warnAfter }),
    },
    nbf: claims.issuedAt,
    sub: userNameOf(claims),
  }
}

/** The claims of the token that lies in a Secret of type kubernetes.io/service-account-token. */
export const legacyClaimsOf = (account: AccountName & Reference, secretName: string): Fields => ({
  iss: LEGACY_ISSUER,
  [`${LEGACY}namespace`]: account.namespace,
  [`${LEGACY}secret.name`]: secretName,
  [`${LEGACY}service-account.name`]: account.name,
  [`${LEGACY}service-account.uid`]: account.uid,
  sub: userNameOf(account),
})

/** What a token claims about whom, whichever of the two forms it has. */
export interface Claimed extends AccountName {
  uid: string
  audiences: string[]
  subject: string
  tokenId: string | undefined
  bound: { kind: 'pod' | 'secret' | 'node'; ref: Reference }[]
  /** The Secret that holds the token, which has no end of its own. */
  heldBy: string | undefined
}

export function readClaims(claims: Fields): Claimed {
  return claims.iss === LEGACY_ISSUER ? readLegacyClaims(claims) : readBoundClaims(claims)
}

function readBoundClaims(claims: Fields): Claimed {
  const own = fieldsAt(claims, 'kubernetes.io')
  const kinds = ['secret', 'pod', 'node'] as const
  return {
    ...referenceIn(own, 'serviceaccount'),
    namespace: textAt(own, 'namespace') ?? '',
    audiences: audiencesIn(claims),
    subject: textAt(claims, 'sub') ?? '',
    tokenId: textAt(claims, 'jti'),
    bound: kinds
      .filter((kind) => own[kind] !== undefined)
      .map((kind) => ({ kind, ref: referenceIn(own, kind) })),
    heldBy: undefined,
  }
}

function readLegacyClaims(claims: Fields): Claimed {
  const claim = (name: string) => textAt(claims, `${LEGACY}${name}`) ?? ''
  return {
    namespace: claim('namespace'),
    name: claim('service-account.name'),
    uid: claim('service-account.uid'),
    audiences: audiencesIn(claims),
    subject: textAt(claims, 'sub') ?? '',
    tokenId: undefined,
    bound: [],
    heldBy: claim('secret.name'),
  }
}

function referenceIn(fields: Fields, key: string): Reference {
  const found = fieldsAt(fields, key)
  return { name: textAt(found, 'name') ?? '', uid: textAt(found, 'uid') ?? '' }
}

function audiencesIn(claims: Fields): string[] {
  const audiences = typeof claims.aud === 'string' ? [claims.aud] : listAt(claims, 'aud')
  return audiences.filter((one) => typeof one === 'string')
}
