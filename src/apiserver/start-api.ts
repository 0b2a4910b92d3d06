import { addressText, type BindAddress, isEverywhere } from '#base/address.ts'
import type { Cancel, Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { messageOf } from '#base/operator-error.ts'
import { openApi } from './open-api.ts'
import { type Listener, listen } from './rest/listener.ts'
import { signingKeyOf } from './security/json-web-token.ts'
import type { KeyFiles } from './security/key-files.ts'
import { type Keys, openKeys } from './security/keys.ts'
import { refuseOpenDoor } from './security/listen-rule.ts'
import { serverNames } from './security/server-names.ts'
import { openStore } from './store/open-store.ts'
import type { Backend, Store } from './store/store.ts'

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
  const api = await openApi({
    ...{ store, clock, log, authentication, authority: keys.authority },
    accountKey: signingKeyOf(keys.accountKey),
  })
  const listener = await listen(api.rest, address, keys).catch((error: unknown) => {
    api[Symbol.dispose]()
    throw error
  })
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
      await listener[Symbol.asyncDispose]()
      api[Symbol.dispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

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
