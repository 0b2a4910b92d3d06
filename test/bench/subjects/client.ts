import { systemClock } from '#base/clock.ts'
import type { CallerOptions } from '#kube/caller.ts'
import { KubeClient } from '#kube/client.ts'
import { kubeconfigAccess } from '#kube/kubeconfig.ts'

/** Our own client, as the kubeconfig says. */
export const clientFor = async (
  kubeconfig: string,
  options: Pick<CallerOptions, 'limit'> = {},
): Promise<KubeClient> =>
  new KubeClient({
    ...options,
    access: await kubeconfigAccess({
      path: kubeconfig,
      env: {},
      homeFolder: '/nowhere',
      clock: systemClock,
    }),
    clock: systemClock,
    userAgent: 'talos-operator/bench',
  })
