import { afterAll, beforeAll } from 'vitest'
import { systemClock } from '#base/clock.ts'
import type { CallerOptions } from '#kube/caller.ts'
import { KubeClient } from '#kube/client.ts'
import { kubeconfigAccess } from '#kube/kubeconfig.ts'
import type { Api, RunningApi } from '#test/conformance/apis.ts'

/** Our own client, as the user of a kubeconfig. */
export const clientOf = async (
  { kubeconfig }: { kubeconfig: string },
  { clock = systemClock, ...options }: Partial<CallerOptions> = {},
): Promise<KubeClient> =>
  new KubeClient({
    access: await kubeconfigAccess({ path: kubeconfig, env: {}, homeFolder: '/nowhere', clock }),
    clock,
    userAgent: 'talos-operator/test',
    ...options,
  })

/** For a block of tests: starts the API before them, ends it after them, and yields the client. */
export function clientOfBlock(start: Api['start']): () => KubeClient {
  let api: RunningApi | undefined
  let client: KubeClient | undefined
  beforeAll(async () => {
    api = await start()
    client = await clientOf(api)
  })
  afterAll(async () => {
    client?.close()
    await api?.[Symbol.asyncDispose]()
  })
  return () => {
    if (!client) throw new Error('there is a client only while the tests run')
    return client
  }
}
