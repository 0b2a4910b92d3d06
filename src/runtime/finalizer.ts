import { type ApiKind, finalizerOf, type Kind, type KubeObject } from '#api/meta.ts'
import type { CallOptions } from '#kube/caller.ts'
import type { KubeClient } from '#kube/client.ts'
import { WRITTEN_BY } from './written-by.ts'

/** Whether deletion of the object waits for us. */
export const hasFinalizer = (kind: Kind, { metadata }: KubeObject): boolean =>
  (metadata.finalizers ?? []).includes(finalizerOf(kind))

/** Makes deletion of the object wait for us. */
export const addFinalizer: Change = (client, kind, { resource, ...options }) =>
  setFinalizers(client, kind, {
    ...options,
    resource,
    finalizers: [...(resource.metadata.finalizers ?? []), finalizerOf(kind)],
  })

/** Lets the object go, as far as it is for us to do so. */
export const removeFinalizer: Change = (client, kind, { resource, ...options }) =>
  setFinalizers(client, kind, {
    ...options,
    resource,
    finalizers: (resource.metadata.finalizers ?? []).filter((one) => one !== finalizerOf(kind)),
  })

type Change = (
  client: KubeClient,
  kind: Kind,
  on: { resource: KubeObject } & CallOptions,
) => Promise<KubeObject>

// The whole list, as others may hold it too; of the version that it was computed from, or not at all.
// Server-side apply could not take away a finalizer that the operator before us has set.
const setFinalizers = (
  client: KubeClient,
  kind: Kind,
  {
    resource,
    finalizers,
    ...options
  }: { resource: KubeObject; finalizers: string[] } & CallOptions,
): Promise<KubeObject> => {
  const { name, namespace, uid, resourceVersion } = resource.metadata
  const metadata = { uid, resourceVersion, finalizers }
  return client.patch<ApiKind>(
    kind,
    { name, ...(namespace && { namespace }) },
    { ...options, type: 'merge', body: { metadata }, fieldManager: WRITTEN_BY, priority: 'user' },
  )
}
