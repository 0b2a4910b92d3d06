import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { Secret as SecretKind } from '#api/foreign.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { problem } from '#base/problem.ts'
import type { Secret } from '#base/secret.ts'
import { textIn } from '#engine/cluster-secrets-entry.ts'
import { deliveredNameOf } from '#engine/delivered.ts'
import { ApiError } from '#kube/api-error.ts'
import type { KubeClient } from '#kube/client.ts'

/** A file that the operator makes for the users of a cluster. */
export type CredentialFile = 'kubeconfig' | 'talosconfig'

interface Wanted {
  readonly namespace: string
  /** Of a TalosControlPlane, a TalosCluster or a KubernetesCluster. */
  readonly name: string
  readonly file: CredentialFile
}

/** The file of a managed cluster. Throws a problem for people if it is not there (yet). */
export async function credentialOf(client: KubeClient, wanted: Wanted): Promise<Secret<string>> {
  const { namespace, file } = wanted
  const controlPlane = await controlPlaneOf(client, wanted)
  const own = controlPlane.metadata.name
  const name = deliveredNameOf(controlPlane, file)
  const secret = await client.find(SecretKind, { namespace, name })
  const text = secret && textIn(secret, file === 'kubeconfig' ? file : `${own}.${file}`)
  if (text) return text
  throw problem({
    what: `the ${file} of ${ControlPlane.kind} ${own} is not there yet`,
    why: readyMessageOf(controlPlane),
    remedy: `wait until it is; talos-operator explain tcp/${own} -n ${namespace} says what is to come`,
  })
}

async function controlPlaneOf(
  client: KubeClient,
  { namespace, name }: Wanted,
): Promise<ControlPlane> {
  const named = await client.find(ControlPlane, { namespace, name })
  if (named) return named
  const cluster =
    (await client.find(Cluster, { namespace, name })) ??
    (await shapeNamed(client, { namespace, name }))
  if (!cluster) {
    throw problem({
      what: `there is no ${ControlPlane.kind}, ${Cluster.kind} or ${KubernetesCluster.kind} ${name} in the namespace ${namespace}`,
      why: 'credentials are those of one of them',
      remedy: 'see what there is with: kubectl get tc,tcp --all-namespaces',
    })
  }
  const { items } = await client.list(ControlPlane, { namespace })
  const found = items.find((one) => isOf(cluster, one))
  if (found) return found
  throw problem({
    what: `the ${cluster.kind} ${name} has no ${ControlPlane.kind} yet`,
    why: readyMessageOf(cluster),
    remedy: `wait until it has; talos-operator explain ${cluster.kind.toLowerCase()}/${name} -n ${namespace} says what is to come`,
  })
}

/** An API need not serve its kind. */
async function shapeNamed(client: KubeClient, ref: { namespace: string; name: string }) {
  try {
    return await client.find(KubernetesCluster, ref)
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

const isOf = (cluster: Cluster | KubernetesCluster, { metadata: own }: ControlPlane): boolean => {
  const { metadata, spec } = cluster
  const referred = spec && 'controlPlaneRef' in spec ? spec.controlPlaneRef?.name : undefined
  return (
    own.name === referred || (own.ownerReferences ?? []).some(({ uid }) => uid === metadata.uid)
  )
}

const readyMessageOf = ({ status }: Cluster | KubernetesCluster | ControlPlane): string =>
  status?.conditions?.find(({ type }) => type === 'Ready')?.message ||
  'the operator has not looked at it yet'
