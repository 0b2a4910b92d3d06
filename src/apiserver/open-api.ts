import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { messageOf } from '#base/operator-error.ts'
import packageFile from '#package.json' with { type: 'json' }
import { builtinKinds, describedKinds } from './builtin-kinds.ts'
import { roleAggregation } from './controllers/aggregation.ts'
import { definitions } from './controllers/definitions.ts'
import { createFirstObjects } from './controllers/first-objects.ts'
import { garbage } from './controllers/garbage.ts'
import { keepHouse } from './controllers/housekeeping.ts'
import { namespaceContents } from './controllers/namespace-contents.ts'
import { namespaceEnd } from './controllers/namespace-end.ts'
import { tokenSecrets } from './controllers/token-secrets.ts'
import { builtin, type Housekeeper, type World } from './controllers/world.ts'
import { customKinds } from './custom-kinds.ts'
import { WatchHub } from './read/watch-hub.ts'
import { discoveryOf } from './rest/discovery-documents.ts'
import { documentsOf } from './rest/documents.ts'
import { evictionRoute } from './rest/eviction-route.ts'
import { fixedDocuments } from './rest/fixed-documents.ts'
import { Gate } from './rest/gate.ts'
import { openapiOf } from './rest/openapi-documents.ts'
import { reviewRoutes } from './rest/review-routes.ts'
import { scaleRoutes } from './rest/scale-routes.ts'
import { RestServer } from './rest/server.ts'
import { AccountTokens } from './security/account-tokens.ts'
import { Authenticator } from './security/authenticate.ts'
import { CertificateUsers } from './security/certificate-user.ts'
import type { SigningKey } from './security/json-web-token.ts'
import { Rbac } from './security/rbac.ts'
import { ServedKinds } from './served-kinds.ts'
import type { Store } from './store/store.ts'
import { surroundingsIn } from './surroundings.ts'

export interface OpenApiOptions {
  /** It stays the caller's: it is not closed with the API. */
  store: Store
  clock: Clock
  log: Log
  /** PEM: what clients know the API by. */
  authority: string
  /** Signs the tokens of service accounts. */
  accountKey: SigningKey
  /** Who is said to issue them; `https://kubernetes.default.svc` unless told. */
  issuer?: string
  /** Off: everyone may do everything. On unless told. */
  authentication?: boolean
  /** Whether those who show nothing may ask at all. They may unless told. */
  allowsAnonymous?: boolean
  /** By which the certificates of clients are judged; the API's own unless told. */
  certificateClock?: Clock
  /** Which version of Kubernetes it says it is, `v1.35.0`; that of its built-in kinds unless told. */
  version?(): string | undefined
  /** Who keeps house besides those that every API has. */
  housekeepers?(world: World): readonly Housekeeper[]
}

/** An embedded API that nobody can reach yet. Disposing of it ends what it does by itself. */
export interface OpenedApi extends Disposable {
  /** Answers the requests of whoever listens for them. */
  rest: RestServer
  world: World
}

const ISSUER = 'https://kubernetes.default.svc'

/** Makes an API of what a store holds. Rejects, with nothing left running, when that cannot be. */
export async function openApi(options: OpenApiOptions): Promise<OpenedApi> {
  const { store, clock, log, authority, accountKey, issuer = ISSUER } = options
  const surroundings = surroundingsIn(store)
  const kinds = new ServedKinds(store, {
    builtin: builtinKinds(surroundings),
    described: describedKinds(),
    customOf: customKinds,
  })
  const world: World = { store, clock, kinds, log }
  try {
    await createFirstObjects(world)
  } catch (error) {
    kinds.dispose()
    surroundings.stop()
    throw error
  }
  const hub = new WatchHub(store, clock)
  const rbac = new Rbac(store)
  const tokens = new AccountTokens({ key: accountKey, store, clock, issuer })
  const rest = restServer(options, { world, hub, rbac, tokens, issuer })
  const stopHouse = keepHouse(world, [
    namespaceContents(world, authority),
    namespaceEnd(world),
    garbage(world),
    roleAggregation(world),
    definitions(world),
    tokenSecrets(world, { tokens, certificate: authority }),
    ...(options.housekeepers?.(world) ?? []),
  ])
  return {
    rest,
    world,
    [Symbol.dispose]: () => {
      stopHouse()
      hub.dispose()
      rbac[Symbol.dispose]()
      kinds.dispose()
      surroundings.stop()
    },
  }
}

interface Foundations {
  world: World
  hub: WatchHub
  rbac: Rbac
  tokens: AccountTokens
  issuer: string
}

function restServer(options: OpenApiOptions, foundations: Foundations): RestServer {
  const { accountKey, authentication = true, allowsAnonymous = true } = options
  const { world, hub, rbac, tokens, issuer } = foundations
  const { store, clock, kinds, log } = world
  const authenticator = new Authenticator({
    certificates: new CertificateUsers(options.certificateClock ?? clock),
    accounts: tokens,
    staticTokens: [],
    audiences: tokens.audiences,
    allowsAnonymous,
  })
  return new RestServer({
    feed: { store, hub, clock },
    served: kinds,
    gate: new Gate(authentication ? authenticator : OPEN_DOOR, rbac),
    documents: documentsOf({
      kinds,
      checks: [{ name: 'ping' }, { name: 'etcd', problem: () => store.problem() }],
      fixed: fixedDocuments({ issuer, key: accountKey, version: options.version }),
      openapi: openapiOf(kinds, packageFile.version, clock),
      discovery: discoveryOf(kinds, 'localhost'),
    }),
    special: {
      ...reviewRoutes({ rbac, authenticator, tokens }),
      ...scaleRoutes,
      ...evictionRoute(builtin(world, 'policy', 'poddisruptionbudgets')),
    },
    onError: (error, request) =>
      log.error('request failed', { ...request, error: messageOf(error) }),
  })
}

/** Without authentication everyone is the administrator. */
const OPEN_DOOR = { authenticate: () => EVERYONE }
const EVERYONE = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
