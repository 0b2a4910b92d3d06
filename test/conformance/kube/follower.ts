import { EventEmitter, once } from 'node:events'
import { expect } from 'vitest'
import { ConfigMap } from '#api/foreign.ts'
import { systemClock } from '#base/clock.ts'
import type { KubeClient } from '#kube/client.ts'
import { Informer, type InformerOptions } from '#kube/informer.ts'
import type { ReflectorState } from '#kube/reflector.ts'

type Failed = Extract<ReflectorState, { state: 'failed' }>

/** An informer that runs, with everything it told. Disposing of it ends it. */
export interface Follower extends AsyncDisposable {
  informer: Informer<typeof ConfigMap>
  /** `added a`, `changed b`, … in order. */
  told: string[]
  states: ReflectorState[]
  /** The states that were failures, in order. */
  readonly failures: Failed[]
  /** Waits until it told of such a state, or of the change in these words. */
  toldOf(sign: object | string): Promise<void>
}

/** The sign of a failure with such an error. */
export const failed = (error: object): object => ({
  state: 'failed',
  error: expect.objectContaining(error),
})

export interface FollowOptions
  extends Pick<InformerOptions<typeof ConfigMap>, 'clock' | 'namespaces' | 'random'> {
  /** What differs from timing that suits a test, or the timing that there is without a test. */
  timing: NonNullable<InformerOptions<typeof ConfigMap>['timing']> | 'usual'
}

const PATIENCE_MS = 30_000

// In a test a second is long. No watch ends and nothing is listed again for its own sake, unless a test
// asks for it: that would put right whatever else went wrong.
const QUICK = {
  silenceMs: 10_000,
  resyncMs: 3_600_000,
  watchSeconds: 600,
  shortestWatchMs: 1,
  backoff: { firstMs: 20, mostMs: 100, jitter: 0.5 },
}

/** Follows the ConfigMaps with the label `watched: yes`. */
export function follow(client: KubeClient, given: Partial<FollowOptions> = {}): Follower {
  const { timing = {}, clock = systemClock, ...options } = given
  const states: ReflectorState[] = []
  const told: string[] = []
  const news = new EventEmitter()
  const informer = new Informer({
    ...options,
    ...{ client, clock, kind: ConfigMap, labelSelector: 'watched=yes' },
    timing: timing === 'usual' ? {} : { ...QUICK, ...timing },
    onState: (state) => {
      states.push(state)
      news.emit('told')
    },
  })
  informer.cache.listen(({ type, object }) => {
    told.push(`${type} ${object.metadata.name}`)
    news.emit('told')
  })
  const stop = new AbortController()
  const running = informer.run(stop.signal)
  return {
    informer,
    told,
    states,
    get failures() {
      return states.flatMap((state) => (state.state === 'failed' ? state : []))
    },
    async toldOf(sign) {
      const isTold = () =>
        typeof sign === 'string' ? told.includes(sign) : states.some((one) => isLike(one, sign))
      const signal = AbortSignal.timeout(PATIENCE_MS)
      const inVain = () => {
        throw new Error(`waited in vain; told was ${JSON.stringify({ told, states }, null, 2)}`)
      }
      while (!isTold()) await once(news, 'told', { signal }).catch(inVain)
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await running
    },
  }
}

function isLike(state: ReflectorState, sign: object): boolean {
  try {
    expect(state).toMatchObject(sign)
    return true
  } catch {
    return false
  }
}
