import { ConfigMap } from '#api/foreign.ts'
import { systemClock } from '#base/clock.ts'
import type { KubeClient } from '#kube/client.ts'
import { Informer } from '#kube/informer.ts'
import type { ReflectorState } from '#kube/reflector.ts'

/** An informer that runs, with everything it told. Disposing of it ends it. */
export interface Follower extends AsyncDisposable {
  informer: Informer<typeof ConfigMap>
  /** `added a`, `changed b`, … in order. */
  told: string[]
  states: ReflectorState[]
}

// In a test a second is long. Nothing is listed again for its own sake, unless a test asks for it:
// that would put right whatever else went wrong.
const QUICK = {
  silenceMs: 500,
  resyncMs: 3_600_000,
  watchSeconds: 1,
  shortestWatchMs: 1,
  backoff: { firstMs: 20, mostMs: 100, jitter: 0.5 },
}

export function follow(
  client: KubeClient,
  timing: { resyncMs?: number; silenceMs?: number } = {},
): Follower {
  const states: ReflectorState[] = []
  const told: string[] = []
  const informer = new Informer({
    client,
    clock: systemClock,
    kind: ConfigMap,
    labelSelector: 'watched=yes',
    timing: { ...QUICK, ...timing },
    onState: (state) => states.push(state),
  })
  informer.cache.listen(({ type, object }) => told.push(`${type} ${object.metadata.name}`))
  const stop = new AbortController()
  const running = informer.run(stop.signal)
  return {
    informer,
    told,
    states,
    async [Symbol.asyncDispose]() {
      stop.abort()
      await running
    },
  }
}
