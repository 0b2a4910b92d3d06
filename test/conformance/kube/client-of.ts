import { systemClock } from '#base/clock.ts'
import { KubeClient } from '#kube/client.ts'
import { kubeconfigAccess } from '#kube/kubeconfig.ts'

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
