import type { ForeignKind, KubeObject } from '#api/meta.ts'
import { ApiError } from '#kube/api-error.ts'
import type { KubeClient } from '#kube/client.ts'
import type { RemovedResource } from '#machineconfig/versions/kubernetes-removals.ts'

const DEADLINE_MS = 15_000

/** Whether the cluster has objects of it. One that it does not serve has none. */
export async function hasObjectsOf(
  client: KubeClient,
  { resource, version, group }: RemovedResource,
  signal: AbortSignal,
): Promise<boolean> {
  const kind: ForeignKind<KubeObject> = {
    ...{ group, version, kind: resource, plural: resource, scope: 'Cluster' },
  }
  try {
    // One is enough to know.
    for await (const page of client.pages(
      kind,
      {},
      { signal, deadlineMs: DEADLINE_MS, pageSize: 1 },
    )) {
      return page.items.length > 0
    }
    return false
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false
    throw error
  }
}
