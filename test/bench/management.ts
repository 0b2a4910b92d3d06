import { homedir } from 'node:os'
import { toCrd } from '#api/crd.ts'
import { CustomResourceDefinition, Lease } from '#api/foreign.ts'
import { kinds } from '#api/kinds.ts'
import { systemClock } from '#base/clock.ts'
import { KubeClient } from '#kube/client.ts'
import { kubeconfigAccess } from '#kube/kubeconfig.ts'
import { startEmbedded } from './embedded.ts'
import { type Hold, heldTogether } from './held-together.ts'
import { kubernetesWithKinds } from './kubernetes-with-kinds.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** An API with all our kinds and nothing in it, in processes of its own. Disposing of it ends it. */
export interface Management extends AsyncDisposable {
  kubeconfig: string
  client: KubeClient
}

/** Starts the embedded API. */
export const startManagement = (): Promise<Management> =>
  heldTogether(async (hold) => {
    const folder = hold(await temporaryFolder())
    const api = hold(await startEmbedded({ folder: folder.path }))
    const reached = await reachedBy(hold, await api.ask('started', undefined))
    for (const kind of kinds) {
      const { apiVersion: _, kind: __, ...crd } = toCrd(kind)
      await reached.client.create(CustomResourceDefinition, crd)
    }
    return reached
  })

/** Starts kube-apiserver and etcd; what they have answered for is on the disk, as with the embedded API. */
export const startRealManagement = (): Promise<Management> =>
  heldTogether(async (hold) => {
    const { kubeconfig } = hold(await kubernetesWithKinds({ isDurable: true }))
    return reachedBy(hold, kubeconfig)
  })

/** Nobody has to wait for the lease of a leader that there never was. */
async function reachedBy(
  hold: Hold,
  kubeconfig: string,
): Promise<Omit<Management, keyof AsyncDisposable>> {
  const client = await clientOf(kubeconfig)
  hold({ [Symbol.dispose]: () => client.close() })
  await client.create(Lease, {
    metadata: { namespace: 'default', name: 'talos-operator' },
    spec: { holderIdentity: '', leaseDurationSeconds: 1 },
  })
  return { kubeconfig, client }
}

/** Whoever the kubeconfig at this path is for. */
export async function clientOf(path: string): Promise<KubeClient> {
  const clock = systemClock
  const { signal } = new AbortController()
  const access = await kubeconfigAccess({ env: {}, homeFolder: homedir(), path, clock, signal })
  return new KubeClient({ access, clock, userAgent: 'bench' })
}
