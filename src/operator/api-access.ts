import type { Clock } from '#base/clock.ts'
import type { ApiAccess } from '#kube/access.ts'
import { inClusterAccess } from '#kube/in-cluster.ts'
import { kubeconfigAccess } from '#kube/kubeconfig.ts'
import type { Settings } from './settings.ts'

/** The outside of the process, as far as access to an API depends on it. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>
  homeFolder: string
}

/** The API to work with: that of the kubeconfig if one is named, else of the pod, else as kubectl would. */
export async function apiAccess(
  settings: Settings,
  { env, homeFolder }: Surroundings,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<ApiAccess> {
  const { kubeconfig: path, context, insecureSkipTlsVerify: allowInsecure } = settings
  const isNamed = path !== undefined || context !== undefined
  const inCluster = isNamed ? undefined : await inClusterAccess({ env, clock, signal })
  return (
    inCluster ?? kubeconfigAccess({ env, homeFolder, path, context, allowInsecure, clock, signal })
  )
}
