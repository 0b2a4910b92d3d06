import type { BindAddress } from '#base/address.ts'
import type { Cancel, Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { messageOf } from '#base/operator-error.ts'
import packageFile from '#package.json' with { type: 'json' }
import { builtinKinds } from './builtin-kinds.ts'
import { roleAggregation } from './controllers/aggregation.ts'
import { definitions } from './controllers/definitions.ts'
import { createFirstObjects } from './controllers/first-objects.ts'
import { garbage } from './controllers/garbage.ts'
import { keepHouse } from './controllers/housekeeping.ts'
import { namespaceContents } from './controllers/namespace-contents.ts'
import { namespaceEnd } from './controllers/namespace-end.ts'
import { tokenSecrets } from './controllers/token-secrets.ts'
import { builtin, type World } from './controllers/world.ts'
import { customKinds } from './custom-kinds.ts'
import { WatchHub } from './read/watch-hub.ts'
import { documentsOf, healthAnswers } from './rest/documents.ts'
import { evictionRoute } from './rest/eviction-route.ts'
import { Gate } from './rest/gate.ts'
import { type Listener, listen } from './rest/listener.ts'
import { openapiOf } from './rest/openapi-documents.ts'
import { reviewRoutes } from './rest/review-routes.ts'
import { scaleRoutes } from './rest/scale-routes.ts'
import { RestServer } from './rest/server.ts'
import { AccountTokens } from './security/account-tokens.ts'
import { Authenticator } from './security/authenticate.ts'
import { CertificateUsers } from './security/certificate-user.ts'
import { type SigningKey, signingKeyOf } from './security/json-web-token.ts'
import type { KeyFiles } from './security/key-files.ts'
import { type Keys, openKeys } from './security/keys.ts'
import { refuseOpenDoor } from './security/listen-rule.ts'
import { keySetOf, openidConfiguration } from './security/openid.ts'
import { Rbac } from './security/rbac.ts'
import { serverNames } from './security/server-names.ts'
import { ServedKinds } from './served-kinds.ts'
import { openStore } from './store/open-store.ts'
import type { Backend, Store } from './store/store.ts'
import { surroundingsIn } from './surroundings.ts'

export interface ApiOptions {
  /** Where objects are kept. It is closed with the API. */
  backend: Backend
  keyFiles: KeyFiles
  address: BindAddress
  /** Off: everyone may do everything, and only this machine is listened to. On unless told. */
  authentication?: boolean
  clock: Clock
  log: Log
}

/** An embedded Kubernetes API that answers. Disposing of it ends it; what was written stays. */
export interface RunningApi extends AsyncDisposable {
  /** `https://127.0.0.1:6443` */
  url: string
  /** The certificate by which clients know the API, and the credentials of an administrator. */
  keys: Keys
  store: Store
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
// Clients that ask for the time before, as some do with 1, are told that it is gone.
const FIRST_REVISION = 100
const ISSUER = 'https://kubernetes.default.svc'

/** Opens the store and serves it. Rejects, with nothing left open, when that cannot be. */
export async function startApi(options: ApiOptions): Promise<RunningApi> {
  const { address, clock, backend, keyFiles, authentication = true } = options
  refuseOpenDoor(address, authentication)
  const keys = await openKeys({ files: keyFiles, clock, hosts: serverNames(address) })
  const store = await openStore({ backend, clock, firstRevision: FIRST_REVISION })
  try {
    return await serve(options, { keys, store })
  } catch (error) {
    await store[Symbol.asyncDispose]()
    throw error
  }
}

async function serve(
  { address, clock, log, keyFiles, authentication = true }: ApiOptions,
  { keys, store }: { keys: Keys; store: Store },
): Promise<RunningApi> {
  const surroundings = surroundingsIn(store)
  const kinds = new ServedKinds(store, {
    builtin: builtinKinds(surroundings),
    customOf: customKinds,
  })
  const world: World = { store, clock, kinds, log }
  await createFirstObjects(world)
  const hub = new WatchHub(store, clock)
  const key = signingKeyOf(keys.accountKey)
  const tokens = new AccountTokens({ key, store, clock, issuer: ISSUER })
  const rest = restServer({ world, hub, key, tokens, authentication })
  const listener = await listen(rest, address, keys)
  const stopHouse = keepHouse(world, [
    namespaceContents(world, keys.authority),
    namespaceEnd(world),
    garbage(world),
    roleAggregation(world),
    definitions(world),
    tokenSecrets(world, { tokens, certificate: keys.authority }),
  ])
  const stopRenewal = renewInTime(listener, {
    keyFiles,
    clock,
    log,
    address,
    renewAt: keys.renewAt,
  })
  return {
    url: urlOf(address, listener.port),
    keys,
    store,
    [Symbol.asyncDispose]: async () => {
      stopRenewal()
      stopHouse()
      await listener[Symbol.asyncDispose]()
      hub.dispose()
      kinds.dispose()
      surroundings.stop()
      await store[Symbol.asyncDispose]()
    },
  }
}

interface Foundations {
  world: World
  hub: WatchHub
  key: SigningKey
  tokens: AccountTokens
  authentication: boolean
}

function restServer({ world, hub, key, tokens, authentication }: Foundations): RestServer {
  const { store, clock, kinds, log } = world
  const rbac = new Rbac(store)
  const authenticator = new Authenticator({
    certificates: new CertificateUsers(clock),
    accounts: tokens,
    staticTokens: [],
    audiences: tokens.audiences,
    allowsAnonymous: true,
  })
  return new RestServer({
    feed: { store, hub, clock },
    served: kinds,
    gate: new Gate(authentication ? authenticator : OPEN_DOOR, rbac),
    documents: documentsOf({
      kinds,
      serverAddress: 'localhost',
      fixed: {
        ...healthAnswers(),
        '/openid/v1/jwks': () => ({
          code: 200,
          body: keySetOf(key),
          contentType: 'application/jwk-set+json',
        }),
        '/.well-known/openid-configuration': () => ({
          code: 200,
          body: openidConfiguration(ISSUER, 'https://localhost'),
        }),
      },
      openapi: openapiOf(kinds, packageFile.version),
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

const urlOf = ({ host = '127.0.0.1' }: BindAddress, port: number): string =>
  `https://${host.includes(':') ? `[${host}]` : host}:${port}`

interface Renewal {
  keyFiles: KeyFiles
  address: BindAddress
  clock: Clock
  log: Log
  renewAt: Date
}

/** Replaces certificates before they end. */
function renewInTime(listener: Listener, renewal: Renewal): Cancel {
  const { keyFiles, address, clock, log, renewAt } = renewal
  let cancel: Cancel = () => undefined
  const renew = async () => {
    const keys = await openKeys({ files: keyFiles, clock, hosts: serverNames(address) })
    listener.identifyAs(keys)
    log.info('certificates renewed', { next: keys.renewAt.toISOString() })
    cancel = renewInTime(listener, { ...renewal, renewAt: keys.renewAt })
  }
  const delay = Math.max(renewAt.getTime() - clock.now().getTime(), MINUTE_MS)
  cancel = clock.after(Math.min(delay, DAY_MS), () => {
    void renew().catch((error: unknown) => {
      log.error('certificates not renewed', { error: messageOf(error) })
      cancel = renewInTime(listener, renewal)
    })
  })
  return () => cancel()
}
