import { systemClock } from '#base/clock.ts'
import { KubeClient } from '#kube/client.ts'
import { kubeconfigAccess } from '#kube/kubeconfig.ts'
import { Watches } from '#runtime/watches.ts'
import { type Progress, progressOf } from './demo-progress.ts'
import type { ShownKind } from './demo-subject.ts'
import { homeFolder } from './home-folder.ts'

/** The API that the operator is told by, as its users have it. */
export interface Management extends AsyncDisposable {
  readonly client: KubeClient
  readonly progress: Progress
}

/** Reaches for the API, and follows what is shown of it. */
export async function openManagement(
  path: string,
  shown: readonly ShownKind[],
  signal: AbortSignal,
): Promise<Management> {
  const clock = systemClock
  const access = await kubeconfigAccess({ env: {}, homeFolder: homeFolder(), path, clock, signal })
  const client = new KubeClient({ access, clock, userAgent: 'talos-operator-demo' })
  const watches = new Watches(
    { client, clock, namespaces: [] },
    shown.map((kind) => ({ kind })),
  )
  const stop = new AbortController()
  const following = watches.run(stop.signal)
  return {
    client,
    progress: progressOf(watches, shown),
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await following
      client.close()
    },
  }
}
