import type { User } from '#apiserver/request.ts'
import type { Store } from '#apiserver/store/store.ts'
import type { Clock } from '#base/clock.ts'
import { Secret } from '#base/secret.ts'
import {
  type AccountClaims,
  type Claimed,
  claimsOf,
  LEGACY_ISSUER,
  legacyClaimsOf,
  type Reference,
  readClaims,
} from './account-claims.ts'
import { type AccountName, accountGroups, userNameOf } from './account-name.ts'
import { holderProblem, keysOf, LEEWAY_SECONDS, objectProblem } from './account-objects.ts'
import {
  isSigned,
  type ParsedToken,
  parseToken,
  type SigningKey,
  signToken,
} from './json-web-token.ts'
import { RecentTokens } from './recent-tokens.ts'
import type { TokenVerdict } from './token-verdict.ts'

/** What the tokens of this API say about themselves, and what they are checked against. */
export interface AccountTokensOptions {
  key: SigningKey
  store: Store
  clock: Clock
  /** Who issues them: `https://kubernetes.default.svc`. Also the audience, when none is asked for. */
  issuer: string
}

/** Issues the tokens of service accounts, and knows them again. */
export class AccountTokens {
  readonly audiences: readonly string[]
  readonly #options: AccountTokensOptions
  readonly #recent: RecentTokens

  constructor(options: AccountTokensOptions) {
    this.#options = options
    this.audiences = [options.issuer]
    this.#recent = new RecentTokens(options.store, options.clock)
  }

  issue(claims: AccountClaims): Secret<string> {
    const { key, issuer } = this.#options
    return new Secret(signToken(claimsOf(claims, issuer), key))
  }

  /** The token that belongs into a Secret of type kubernetes.io/service-account-token. It never ends. */
  issueForSecret(account: AccountName & Reference, secretName: string): Secret<string> {
    return new Secret(signToken(legacyClaimsOf(account, secretName), this.#options.key))
  }

  /** Whose token it is, if it is good for one of the audiences; this API's own, unless told. */
  verify(token: string, audiences?: readonly string[]): TokenVerdict {
    if (audiences) return this.#verify(token, audiences).verdict
    const known = this.#recent.find(token)
    if (known) return known
    const { verdict, keys, expiresAt } = this.#verify(token, this.audiences)
    if ('user' in verdict) this.#recent.remember(token, { verdict, keys, expiresAt })
    return verdict
  }

  #verify(token: string, audiences: readonly string[]): Checked {
    const parsed = parseToken(token)
    if (!parsed || !this.#isIssuer(parsed.claims.iss)) return refused(undefined)
    const why = this.#signatureProblem(parsed) ?? timeProblem(parsed, this.#options.clock.now())
    if (why) return refused(why)
    const claimed = readClaims(parsed.claims)
    const own = claimed.audiences.length === 0 ? this.audiences : claimed.audiences
    const accepted = own.filter((audience) => audiences.includes(audience))
    if (accepted.length === 0) return refused(audienceProblem(own, audiences))
    const gone =
      objectProblem(claimed, this.#options) ?? holderProblem(claimed, token, this.#options)
    if (gone) return refused(gone)
    const { exp } = parsed.claims
    return {
      verdict: { user: userOf(claimed), audiences: accepted },
      keys: keysOf(claimed),
      expiresAt: typeof exp === 'number' ? exp : Number.POSITIVE_INFINITY,
    }
  }

  #isIssuer(issuer: unknown): boolean {
    return issuer === this.#options.issuer || issuer === LEGACY_ISSUER
  }

  #signatureProblem(token: ParsedToken): string | undefined {
    const { kid = '' } = token.header
    if (kid !== '' && kid !== this.#options.key.id) return 'invalid signature, no keys found'
    if (!isSigned(token, this.#options.key)) {
      return 'go-jose/go-jose: error in cryptographic primitive'
    }
    return undefined
  }
}

interface Checked {
  verdict: TokenVerdict
  /** The objects that it depends on. */
  keys: string[]
  /** Seconds since 1970. */
  expiresAt: number
}

const refused = (why: string | undefined): Checked => ({
  verdict: { problem: why },
  keys: [],
  expiresAt: 0,
})

function timeProblem({ claims }: ParsedToken, now: Date): string | undefined {
  const seconds = now.getTime() / 1000
  const { nbf, exp, iat, iss } = claims
  if (typeof nbf === 'number' && seconds + LEEWAY_SECONDS < nbf) {
    return 'service account token is not valid yet'
  }
  // Only the tokens in Secrets have no end.
  const end = typeof exp === 'number' ? exp : iss === LEGACY_ISSUER ? undefined : 0
  if (end !== undefined && seconds - LEEWAY_SECONDS > end)
    return 'service account token has expired'
  if (typeof iat === 'number' && seconds + LEEWAY_SECONDS < iat) {
    return 'service account token is issued in the future'
  }
  return undefined
}

const listed = (texts: readonly string[]): string =>
  `[${texts.map((text) => JSON.stringify(text)).join(' ')}]`

const audienceProblem = (own: readonly string[], wanted: readonly string[]): string =>
  `token audiences ${listed(own)} is invalid for the target audiences ${listed(wanted)}`

function userOf(claimed: Claimed): User {
  const extra: Record<string, string[]> = {}
  const tell = (name: string, value: string | undefined) => {
    if (value) extra[`authentication.kubernetes.io/${name}`] = [value]
  }
  const boundTo = (kind: string) => claimed.bound.find((one) => one.kind === kind)?.ref
  tell('credential-id', claimed.tokenId && `JTI=${claimed.tokenId}`)
  tell('node-name', boundTo('node')?.name)
  tell('node-uid', boundTo('node')?.uid)
  tell('pod-name', boundTo('pod')?.name)
  tell('pod-uid', boundTo('pod')?.uid)
  return {
    name: userNameOf(claimed),
    uid: claimed.uid,
    groups: [...accountGroups(claimed.namespace), 'system:authenticated'],
    ...(Object.keys(extra).length > 0 && { extra }),
  }
}
