import { expect } from 'vitest'
import { ConfigMap } from '#api/foreign.ts'
import { systemClock } from '#base/clock.ts'
import type { KubeClient } from '#kube/client.ts'
import { Informer, type InformerOptions } from '#kube/informer.ts'
import type { ReflectorState } from '#kube/reflector.ts'
import { until } from '#test/until.ts'

type Failed = Extract<ReflectorState, { state: 'failed' }>

/** An informer that runs, with everything it told. Disposing of it ends it. */
export interface Follower extends AsyncDisposable {
  informer: Informer<typeof ConfigMap>
  /** `added a`, `changed b`, … in order. */
  told: string[]
  states: ReflectorState[]
  /** The states that were failures, in order. */
  readonly failures: Failed[]
  /** Waits until it told of something that matches. */
  toldOf(sign: object): Promise<void>
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

// In a test a second is long. Nothing is listed again for its own sake, unless a test asks for it:
// that would put right whatever else went wrong.
const QUICK = {
  silenceMs: 10_000,
  resyncMs: 3_600_000,
  watchSeconds: 1,
  shortestWatchMs: 1,
  backoff: { firstMs: 20, mostMs: 100, jitter: 0.5 },
}

/** Follows the ConfigMaps with the label `watched: yes`. */
export function follow(client: KubeClient, given: Partial<FollowOptions> = {}): Follower {
  const { timing = {}, clock = systemClock, ...options } = given
  const states: ReflectorState[] = []
  const told: string[] = []
  const informer = new Informer({
    ...options,
    ...{ client, clock, kind: ConfigMap, labelSelector: 'watched=yes' },
    timing: timing === 'usual' ? {} : { ...QUICK, ...timing },
    onState: (state) => states.push(state),
  })
  informer.cache.listen(({ type, object }) => told.push(`${type} ${object.metadata.name}`))
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
      const isSign = (state: ReflectorState) => isLike(state, sign)
      await until(
        'a sign of the fault',
        async () => states,
        (all) => all.some(isSign),
      )
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
