import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Node, Secret } from '#api/foreign.ts'
import type { KubeClient } from '#kube/client.ts'
import { clientOf } from './management.ts'
import { temporaryFolder } from './temporary-folder.ts'

const EVERY_MS = 20

/** Changes the nodes of a cluster 50 times a second, by its own API and in what the operator looks at, until it is disposed of. */
export async function floodOf(management: KubeClient, cluster: string): Promise<AsyncDisposable> {
  const client = await deliveredClient(management, cluster)
  const stop = new AbortController()
  const flooding = flood(client, stop.signal)
  // It is told of when it is waited for.
  flooding.catch(() => {})
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await flooding
      client.close()
    },
  }
}

async function flood(client: KubeClient, signal: AbortSignal): Promise<void> {
  const { items } = await client.list(Node, {})
  if (items.length === 0) throw new Error('there is no node to change')
  for (let round = 0; !signal.aborted; round++) {
    const node = items[round % items.length]
    const reason = `Flood${round}`
    const conditions = node?.status?.conditions?.map((one) =>
      one.type === 'Ready' ? { ...one, reason } : one,
    )
    if (node) {
      const ref = { name: node.metadata.name, subresource: 'status' } as const
      await client.patch(Node, ref, { type: 'merge', body: { status: { conditions } } })
    }
    await delay(EVERY_MS)
  }
}

/** By the kubeconfig that the operator has delivered. */
async function deliveredClient(management: KubeClient, name: string): Promise<KubeClient> {
  const ref = { namespace: 'default', name: `${name}-kubeconfig` }
  const { data } = await management.get(Secret, ref)
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'kubeconfig')
  await writeFile(path, Buffer.from(data?.kubeconfig ?? '', 'base64'))
  return await clientOf(path)
}
