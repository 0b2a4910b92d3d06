import { afterAll, beforeAll } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { KubeClient } from '#kube/client.ts'
import { kubeconfigAccess } from '#kube/kubeconfig.ts'
import type { Api, RunningApi } from '#test/conformance/apis.ts'

/** Our own client, as an administrator of an API. */
export const clientOf = async ({ kubeconfig }: { kubeconfig: string }): Promise<KubeClient> =>
  new KubeClient({
    access: await kubeconfigAccess({
      path: kubeconfig,
      env: {},
      homeFolder: '/nowhere',
      clock: systemClock,
    }),
    clock: systemClock,
    userAgent: 'talos-operator/test',
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
