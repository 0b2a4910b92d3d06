import { ClusterNodes } from '#engine/cluster-nodes.ts'
import type { KubeClient } from '#kube/client.ts'
import { kubeconfigAccess } from '#kube/kubeconfig.ts'
import { anApi } from './an-api.ts'
import { clientOf } from './conformance/kube/client-of.ts'
import { FakeClock } from './fake-clock.ts'
import { quietLog } from './quiet-log.ts'
import { until } from './until.ts'

export const CLUSTER = 'prod/a'

/** A cluster whose API is an embedded one, as it is followed, and as a user of it. */
export interface FollowedCluster extends AsyncDisposable {
  readonly clock: FakeClock
  readonly nodes: ClusterNodes
  readonly client: KubeClient
}

/** Follows a new one, under {@link CLUSTER}. */
export async function followedCluster(): Promise<FollowedCluster> {
  const clock = new FakeClock()
  const api = await anApi()
  const client = await clientOf(api)
  const access = await kubeconfigAccess({
    ...{ path: api.kubeconfig, env: {}, homeFolder: '/nowhere', clock },
  })
  const nodes = new ClusterNodes({ clock, log: quietLog(), userAgent: 'test' })
  nodes.follow(CLUSTER, { access, identity: 'a' })
  await until(
    'an answer',
    async () => nodes.seen(CLUSTER).api,
    (seen) => seen.is === 'answering',
  )
  return {
    ...{ clock, nodes, client },
    [Symbol.asyncDispose]: async () => {
      await nodes.close()
      client.close()
      await api[Symbol.asyncDispose]()
    },
  }
}
