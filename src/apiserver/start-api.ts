import { addressText, type BindAddress, isEverywhere } from '#base/address.ts'
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
import { discoveryOf } from './rest/discovery-documents.ts'
import { documentsOf } from './rest/documents.ts'
import { evictionRoute } from './rest/eviction-route.ts'
import { fixedDocuments } from './rest/fixed-documents.ts'
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
  /** Told when certificates were replaced in time: whoever uses the old ones loses them at their end. */
  onRenewed?(keys: Keys): Promise<void>
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
  const { address, clock, log, backend, keyFiles, authentication = true } = options
  refuseOpenDoor(address, authentication)
  const store = await openStore({
    ...{ backend, clock, firstRevision: FIRST_REVISION },
    onListenerError: (error) => log.error('a change went unseen', { error: messageOf(error) }),
  })
  try {
    // Only now: whoever has the store has the folder, and nobody else makes keys in it meanwhile.
    const keys = await openKeys({ files: keyFiles, clock, hosts: serverNames(address) })
    return await serve(options, { keys, store })
  } catch (error) {
    await store[Symbol.asyncDispose]()
    throw error
  }
}

async function serve(
  { address, clock, log, keyFiles, authentication = true, onRenewed }: ApiOptions,
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
    onRenewed,
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
      checks: [{ name: 'ping' }, { name: 'etcd' }],
      fixed: fixedDocuments(ISSUER, key),
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

/** Where clients on this machine find it. */
function urlOf(address: BindAddress, port: number): string {
  const { host = '' } = address
  const own = host === '::' ? '::1' : '127.0.0.1'
  return `https://${addressText({ host: isEverywhere(address) ? own : host, port })}`
}

interface Renewal {
  keyFiles: KeyFiles
  address: BindAddress
  clock: Clock
  log: Log
  renewAt: Date
  onRenewed: ApiOptions['onRenewed'] | undefined
}

/** Replaces certificates before they end. */
function renewInTime(listener: Listener, renewal: Renewal): Cancel {
  const { keyFiles, address, clock, log, renewAt, onRenewed } = renewal
  let cancel: Cancel = () => undefined
  let isStopped = false
  const renew = async () => {
    const keys = await openKeys({ files: keyFiles, clock, hosts: serverNames(address) })
    if (isStopped) return
    listener.identifyAs(keys)
    await onRenewed?.(keys)
    if (isStopped) return
    log.info('certificates renewed', { next: keys.renewAt.toISOString() })
    cancel = renewInTime(listener, { ...renewal, renewAt: keys.renewAt })
  }
  const again = () => {
    if (!isStopped) cancel = renewInTime(listener, renewal)
  }
  const due = renewAt.getTime() - clock.now().getTime()
  // Looked at every day: timers cannot be set for half a year, and the time of day may be changed.
  cancel = clock.after(Math.min(Math.max(due, MINUTE_MS), DAY_MS), () => {
    if (clock.now() < renewAt) return again()
    void renew().catch((error: unknown) => {
      log.error('certificates not renewed', { error: messageOf(error) })
      again()
    })
  })
  return () => {
    isStopped = true
    cancel()
  }
}
