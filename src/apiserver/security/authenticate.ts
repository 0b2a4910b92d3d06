import type { TLSSocket } from 'node:tls'
import { ApiFailure } from '#apiserver/failure.ts'
import type { User } from '#apiserver/request.ts'
import type { Secret } from '#base/secret.ts'
import type { CertificateUsers } from './certificate-user.ts'
import { isSameSecret } from './same-secret.ts'
import type { TokenVerdict } from './token-verdict.ts'

/** A token that was agreed on beforehand, and whom it stands for. */
export interface StaticToken {
  token: Secret<string>
  user: User
}

interface AuthenticatorOptions {
  certificates: CertificateUsers
  accounts: { verify(token: string, audiences?: readonly string[]): TokenVerdict }
  staticTokens: readonly StaticToken[]
  /** What this API's own audience is: static tokens are good for that one. */
  audiences: readonly string[]
  /** Whether someone who says nothing is let in as `system:anonymous`. RBAC gives that user little. */
  allowsAnonymous: boolean
}

const ANONYMOUS: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] }

/** Finds out who asks. */
export class Authenticator {
  readonly #options: AuthenticatorOptions
  readonly #certified = new WeakMap<User, User>()
  readonly #static: readonly StaticToken[]

  constructor(options: AuthenticatorOptions) {
    this.#options = options
    this.#static = options.staticTokens.map(({ token, user }) => ({
      token,
      user: authenticated(user),
    }))
  }

  /**
   * The first of these that is good: the connection's certificate, the bearer token. One that is not
   * good, and nothing that is, fails as Unauthorized; nothing at all is anonymous. The same caller
   * gets the same object.
   */
  authenticate(socket: TLSSocket, authorization: string | undefined): User {
    const certified = this.#options.certificates.verdictOn(socket)
    if (typeof certified === 'object') return this.#complete(certified.user)
    const token = bearerTokenIn(authorization)
    if (token !== undefined) {
      const verdict = this.verifyToken(token)
      if ('user' in verdict) return verdict.user
    }
    if (certified === 'refused' || token !== undefined || !this.#options.allowsAnonymous) {
      throw unauthorized()
    }
    return ANONYMOUS
  }

  /** Whose token it is, for this API or for the audiences that are named. */
  verifyToken(token: string, audiences?: readonly string[]): TokenVerdict {
    const agreed = this.#agreed(token)
    if (!agreed) return this.#options.accounts.verify(token, audiences)
    const wanted = audiences ?? this.#options.audiences
    const accepted = this.#options.audiences.filter((one) => wanted.includes(one))
    return accepted.length > 0 ? { user: agreed, audiences: accepted } : { problem: undefined }
  }

  #agreed(token: string): User | undefined {
    let found: User | undefined
    // All of them, always: how long it takes must not tell which one was nearly right.
    for (const known of this.#static)
      if (isSameSecret(known.token.open(), token)) found = known.user
    return found
  }

  #complete(user: User): User {
    const known = this.#certified.get(user)
    if (known) return known
    const complete = authenticated(user)
    this.#certified.set(user, complete)
    return complete
  }
}

/** Fails as the API does where nobody knows who asks. */
const unauthorized = (): ApiFailure =>
  new ApiFailure(401, 'Unauthorized', { reason: 'Unauthorized' })

/** Left as it is: someone who is anonymous, or already says in which of the two groups they are. */
function authenticated(user: User): User {
  const isTold = user.groups.some((group) => STANDINGS.includes(group))
  if (isTold || user.name === ANONYMOUS.name) return user
  return { ...user, groups: [...user.groups, 'system:authenticated'] }
}

const STANDINGS = ['system:authenticated', 'system:unauthenticated']

function bearerTokenIn(authorization: string | undefined): string | undefined {
  if (!authorization) return undefined
  const [scheme = '', token] = authorization.trim().split(' ', 2)
  // Nothing between two blanks: Kubernetes ignores the header.
  return scheme.toLowerCase() === 'bearer' && token ? token : undefined
}
