import { systemClock } from '#base/clock.ts'
import type { ApiAccess } from '#kube/access.ts'
import { KubeClient } from '#kube/client.ts'
import { apiAccess } from '#operator/api-access.ts'
import { loadSettings } from '#operator/settings-load.ts'
import packageFile from '#package.json' with { type: 'json' }
import { homeFolder } from './home-folder.ts'
import type { ManagementFlags } from './management-flags.ts'

/** A client for that API, and the namespace that is meant. */
export interface ManagementApi extends Disposable {
  readonly client: KubeClient
  readonly access: ApiAccess
  readonly namespace: string
}

/** Reads what it takes to reach the API. Nothing is called yet. */
export async function openManagementApi(
  { namespace, ...flags }: ManagementFlags,
  signal: AbortSignal = new AbortController().signal,
): Promise<ManagementApi> {
  const clock = systemClock
  // What is set for an operator is not meant for this command.
  const settings = await loadSettings({ flags: { ...flags }, env: {} }, signal)
  const surroundings = { env: process.env, homeFolder: homeFolder() }
  const access = await apiAccess(settings, surroundings, { clock, signal })
  const userAgent = `talos-operator/${packageFile.version}`
  const client = new KubeClient({ access, clock, userAgent })
  return {
    ...{ client, access },
    namespace: namespace ?? access.namespace,
    [Symbol.dispose]: () => client.close(),
  }
}
