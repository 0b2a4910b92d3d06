import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import type { Attributes, User } from '#apiserver/request.ts'
import type { Authenticator } from '#apiserver/security/authenticate.ts'
import { type RoleWrite, refuseEscalation } from '#apiserver/security/escalation.ts'
import { notAllowed } from '#apiserver/security/forbidden.ts'
import { Impersonation } from '#apiserver/security/impersonate.ts'
import { wantedUserIn } from '#apiserver/security/impersonation-headers.ts'
import type { Rbac } from '#apiserver/security/rbac.ts'

/** Tells who asks. */
type Identifier = Pick<Authenticator, 'authenticate'>

/** Who may come in, and who may do what. */
export class Gate {
  readonly #authenticator: Identifier
  readonly #rbac: Rbac
  readonly #impersonation: Impersonation

  constructor(authenticator: Identifier, rbac: Rbac) {
    this.#authenticator = authenticator
    this.#rbac = rbac
    this.#impersonation = new Impersonation(rbac)
  }

  /** Who asks; fails as Unauthorized. */
  identify({ socket, headers }: IncomingMessage): User {
    if (!(socket instanceof TLSSocket)) throw new Error('requests come over TLS')
    return this.#authenticator.authenticate(socket, headers.authorization)
  }

  /** Fails as Forbidden unless a user may do something. */
  demand(asked: Attributes): void {
    const decision = this.#rbac.authorize(asked)
    if (!decision.allowed) throw notAllowed(asked, decision)
  }

  /** Fails as Forbidden when somebody would give away rights that they do not have. */
  guard(write: RoleWrite): void {
    refuseEscalation(this.#rbac, write)
  }

  /** As whom the request is made, if that user may make it; fails as Forbidden. */
  admit(asked: Attributes, { rawHeaders }: IncomingMessage): User {
    const wanted = wantedUserIn(rawHeaders)
    const user = wanted ? this.#impersonation.actAs(wanted, asked) : asked.user
    this.demand({ ...asked, user })
    return user
  }
}
