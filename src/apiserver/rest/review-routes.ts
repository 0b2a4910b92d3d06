import { decodeBuiltinInSteps } from '#apiserver/builtin/decode.ts'
import { schemaOfKind } from '#apiserver/builtin/resources.ts'
import type { Fields } from '#apiserver/objects.ts'
import { paceOf } from '#apiserver/pace.ts'
import type { Feed } from '#apiserver/read/watch-stream.ts'
import type { AccountTokens } from '#apiserver/security/account-tokens.ts'
import type { Authenticator } from '#apiserver/security/authenticate.ts'
import type { Rbac } from '#apiserver/security/rbac.ts'
import { answerReview } from '#apiserver/security/reviews.ts'
import { answerTokenRequest, withUsualLife } from '#apiserver/security/token-request.ts'
import { inTurns } from '#apiserver/steps.ts'
import { parsed } from '#apiserver/write/decode-body.ts'
import { ownedAsUpdated } from '#apiserver/write/owned.ts'
import { askOf, type Call } from './call.ts'
import type { Route, SpecialRoutes } from './resource-routes.ts'
import { bodyOf } from './write-routes.ts'

interface Offices {
  rbac: Rbac
  authenticator: Authenticator
  tokens: AccountTokens
}

const REVIEWS = [
  'authentication.k8s.io/selfsubjectreviews',
  'authentication.k8s.io/tokenreviews',
  'authorization.k8s.io/localsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectrulesreviews',
  'authorization.k8s.io/subjectaccessreviews',
]

/** Questions that are asked by creating something which is not kept. */
export function reviewRoutes({ rbac, authenticator, tokens }: Offices): SpecialRoutes {
  const review: Route = async (feed, call) => {
    const next = await bodyAs(feed, call, call.resource)
    const body = ownedAsUpdated(feed, askOf(call), { next })
    const { user, path } = call
    const context = {
      user,
      namespace: path.namespace,
      rbac,
      verifyToken: (token: string, audiences?: readonly string[]) =>
        authenticator.verifyToken(token, audiences),
      now: feed.clock.now(),
    }
    return { code: 201, body: answerReview(call.resource.kind, body, context) }
  }
  const token: Route = async (feed, call) => {
    const { namespace, name } = call.path
    const kind = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' }
    const schema = schemaOfKind(kind.group, kind.version, kind.kind) ?? {}
    const decode = (given: Fields) => decodeBuiltinInSteps(given, { ...kind, schema })
    const ask = { ...askOf(call), resource: { ...call.resource, ...kind, schema, decode } }
    const body = ownedAsUpdated(feed, ask, { next: withUsualLife(await bodyAs(feed, call, kind)) })
    const { store, clock } = feed
    return {
      code: 201,
      body: answerTokenRequest({ namespace, name }, body, { store, clock, tokens }),
    }
  }
  return {
    ...Object.fromEntries(REVIEWS.map((resource) => [resource, { create: review }])),
    '/serviceaccounts/token': { create: token },
  }
}

/** The body, as an object of a built-in kind that is not the resource's own. */
export async function bodyAs(
  { clock }: Feed,
  call: Call,
  { group, version, kind }: { group: string; version: string; kind: string },
): Promise<Fields> {
  const schema = schemaOfKind(group, version, kind)
  if (!schema) throw new Error(`${kind} of ${group}/${version} is not built in`)
  const expected = { group, version, kind, schema, isCustom: false }
  const { given } = await inTurns(paceOf(clock), parsed(expected, await bodyOf(call)))
  return (await inTurns(paceOf(clock), decodeBuiltinInSteps(given, expected))).object
}
