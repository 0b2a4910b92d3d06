import { createPrivateKey } from 'node:crypto'
import { openApi } from '#apiserver/open-api.ts'
import type { RestServer } from '#apiserver/rest/server.ts'
import { type SigningKey, signingKeyWhenUsed } from '#apiserver/security/json-web-token.ts'
import { openStore } from '#apiserver/store/open-store.ts'
import type { Store } from '#apiserver/store/store.ts'
import type { Cancel, Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { naturalOrder } from '#base/natural-order.ts'
import { messageOf } from '#base/operator-error.ts'
import { createBootstrapObjects } from '#simulator/kubernetes/bootstrap/bootstrap-objects.ts'
import type { ClusterFacts, ControlPlaneFacts } from '#simulator/kubernetes/cluster-kubernetes.ts'
import { keysOf, Objects } from '#simulator/kubernetes/objects.ts'
import { PodIndex } from '#simulator/kubernetes/pods/pod-index.ts'
import { Routines } from '#simulator/kubernetes/routine.ts'
import { routinesOf } from '#simulator/kubernetes/routines.ts'
import type { Scene } from '#simulator/kubernetes/scene.ts'
import { backendOf, type ClusterContent } from './cluster-content.ts'
import { firstContent } from './first-content.ts'

interface RunningApiOptions {
  scene: Omit<Scene, 'objects' | 'pods'>
  content: ClusterContent
  /** By which clients live: how much of the past they can ask for goes by it. */
  wallClock: Clock
  /** By which the certificates of clients are judged. */
  certificateClock: Clock
  log: Log
}

/** The API of a cluster and all that works by it. Disposing of it leaves what it held. */
export interface RunningApi extends AsyncDisposable {
  readonly store: Store
  readonly rest: RestServer
  readonly scene: Scene
  readonly routines: Routines
  /** What it holds; also after its end. */
  content(): ClusterContent
}

// Watchers that come back later list anew: of a thousand clusters each remembers only its last minute.
const WINDOW = { changes: 1_000, bytes: 256 * 1024, ageMs: 60_000 }
const LOOK_EVERY_MS = 15_000

/** Starts what the control plane of a cluster runs, on what its etcd holds. */
export async function startRunningApi(options: RunningApiOptions): Promise<RunningApi> {
  const { wallClock, log } = options
  const { facts, clock } = options.scene
  const isNew = options.content.revision === 0
  const content = isNew ? await firstContent(clock, log) : options.content
  const store = await openStore({
    ...{ backend: backendOf(content), clock: wallClock, window: WINDOW },
    onListenerError: (error) => log.error('a change went unseen', { error: messageOf(error) }),
  })
  const started: { scene?: Scene; routines?: Routines } = {}
  const api = await openApi({
    // A client's seconds are its own: watches that last minutes would end at once in a fleet in haste.
    ...{ store, clock: wallClock, log, issuer: facts.endpoint, allowsAnonymous: false },
    authority: facts.secrets.kubernetes.certificate,
    accountKey: accountKeyOf(facts),
    certificateClock: options.certificateClock,
    version: () => versionOf(options.scene.controlPlanes.serving()),
    housekeepers: (world) => {
      const pods = new PodIndex(store.list(keysOf('pods')))
      const scene: Scene = { ...options.scene, objects: new Objects(world), pods }
      const routines = new Routines({ ...world, clock }, routinesOf(scene))
      Object.assign(started, { scene, routines })
      return [{ see: (change) => scene.pods.see(change), stop: () => undefined }, routines]
    },
  })
  const stopForgetting = forgetInTime(store, wallClock)
  const { scene, routines } = started
  if (!scene || !routines) throw new Error('nobody keeps house')
  await createBootstrapObjects(scene)
  return {
    ...{ store, rest: api.rest, scene, routines },
    content: () => ({ revision: store.revision, entries: store.list('') }),
    [Symbol.asyncDispose]: async () => {
      stopForgetting()
      api[Symbol.dispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

/** What is too old is forgotten also if nothing happens afterwards. No timer waits when nothing is left. */
function forgetInTime(store: Store, clock: Clock): Cancel {
  let cancel: Cancel | undefined
  const wait = () => {
    cancel ??= clock.after(LOOK_EVERY_MS, () => {
      cancel = undefined
      if (store.forgetOld()) wait()
    })
  }
  wait()
  const unsubscribe = store.onChanges(wait)
  return () => {
    unsubscribe()
    cancel?.()
  }
}

/** That of whoever answers; while they differ, of the one that is behind. */
function versionOf(controlPlanes: readonly ControlPlaneFacts[]): string | undefined {
  const tags = controlPlanes.map(({ components }) => components['kube-apiserver'].image)
  return tags
    .flatMap((image) => /:(v\d+\.\d+\.\d+\S*)$/.exec(image)?.[1] ?? [])
    .sort(naturalOrder)[0]
}

const accountKeyOf = ({ secrets }: ClusterFacts): SigningKey =>
  signingKeyWhenUsed(() => createPrivateKey(secrets.serviceAccountKey.open()))
