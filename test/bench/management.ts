import { homedir } from 'node:os'
import { toCrd } from '#api/crd.ts'
import { CustomResourceDefinition, Lease } from '#api/foreign.ts'
import { kinds } from '#api/kinds.ts'
import { systemClock } from '#base/clock.ts'
import { KubeClient } from '#kube/client.ts'
import { kubeconfigAccess } from '#kube/kubeconfig.ts'
import { startEmbedded } from './embedded.ts'
import { heldTogether } from './held-together.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** An API with all our kinds and nothing in it, in a process of its own. Disposing of it ends it. */
export interface Management extends AsyncDisposable {
  kubeconfig: string
  client: KubeClient
}

/** Starts the embedded API. Nobody has to wait for the lease of a leader that there never was. */
export const startManagement = (): Promise<Management> =>
  heldTogether(async (hold) => {
    const folder = hold(await temporaryFolder())
    const api = hold(await startEmbedded({ folder: folder.path }))
    const kubeconfig = await api.ask('started', undefined)
    const client = await clientOf(kubeconfig)
    hold({ [Symbol.dispose]: () => client.close() })
    for (const kind of kinds) {
      const { apiVersion: _, kind: __, ...crd } = toCrd(kind)
      await client.create(CustomResourceDefinition, crd)
    }
    await client.create(Lease, {
      metadata: { namespace: 'default', name: 'talos-operator' },
      spec: { holderIdentity: '', leaseDurationSeconds: 1 },
    })
    return { kubeconfig, client }
  })

async function clientOf(path: string): Promise<KubeClient> {
  const clock = systemClock
  const { signal } = new AbortController()
  const access = await kubeconfigAccess({ env: {}, homeFolder: homedir(), path, clock, signal })
  return new KubeClient({ access, clock, userAgent: 'bench' })
}
