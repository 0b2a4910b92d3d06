import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { toCrd } from '#api/crd.ts'
import { CustomResourceDefinition } from '#api/foreign.ts'
import { kinds } from '#api/kinds.ts'
import { filesInFolder } from '#apiserver/security/key-files.ts'
import type { Keys } from '#apiserver/security/keys.ts'
import { writeKubeconfig } from '#apiserver/security/kubeconfig.ts'
import { type RunningApi, startApi } from '#apiserver/start-api.ts'
import { lmdbBackend } from '#apiserver/store/backends/lmdb.ts'
import type { BindAddress } from '#base/address.ts'
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { ApiAccess } from '#kube/access.ts'
import { KubeClient } from '#kube/client.ts'
import { kubeconfigAccess } from '#kube/kubeconfig.ts'
import packageFile from '#package.json' with { type: 'json' }
import { calm } from '#runtime/calm-log.ts'
import { createLog } from '#runtime/log.ts'
import { controllers } from './controllers.ts'
import { runOperator } from './operator.ts'
import { loadSettings } from './settings-load.ts'

/** The process, and what the command line says besides the operator's settings. */
interface Host {
  /** What commander has parsed. */
  flags: Readonly<Record<string, unknown>>
  env: Readonly<Record<string, string | undefined>>
  homeFolder: string
  clock: Clock
  signal: AbortSignal
  /** Where everything is kept: objects, keys and the kubeconfig. */
  dataFolder: string
  address: BindAddress
  authentication: boolean
  /** Told once, when kubectl can be used. */
  onReady(kubeconfig: string, url: string): void
}

/** Runs the embedded API and the operator against it. Rejects with sentences for whoever started it. */
export async function startStandalone(host: Host): Promise<void> {
  const { flags, env, homeFolder, clock, signal } = host
  const settings = await loadSettings({ flags, env }, signal)
  using log = calm(createLog({ level: settings.logLevel, format: settings.logFormat }), { clock })
  const kubeconfig = join(host.dataFolder, 'kubeconfig')
  let admin: Keys['admin']
  const publish = async (keys: Keys) => {
    admin = keys.admin
    const { url: server } = api
    await writeKubeconfig(kubeconfig, { server, authority: keys.authority, client: admin })
  }
  await using api = await openApi(host, { log, onRenewed: publish })
  await publish(api.keys)
  const access: ApiAccess = {
    ...(await kubeconfigAccess({ env, homeFolder, path: kubeconfig, clock, signal })),
    // Not those of the file as it was at the start: they are replaced at half of their life.
    credentials: async () => ({ certificate: admin }),
  }
  await installKinds(access, clock)
  host.onReady(kubeconfig, api.url)
  const { version } = packageFile
  await runOperator({ settings, access, controllers, version, clock, log, signal })
}

async function openApi(
  host: Host,
  { log, onRenewed }: { log: Log; onRenewed: (keys: Keys) => Promise<void> },
): Promise<RunningApi> {
  const { dataFolder, address, clock, authentication } = host
  await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  return startApi({
    backend: lmdbBackend({ path: join(dataFolder, 'store') }),
    keyFiles: await filesInFolder(join(dataFolder, 'pki'), log),
    address,
    authentication,
    clock,
    log,
    onRenewed,
  })
}

/** Nobody else has defined kinds here, so all of ours are. */
async function installKinds(access: ApiAccess, clock: Clock): Promise<void> {
  const client = new KubeClient({ access, clock, userAgent: 'talos-operator' })
  try {
    for (const kind of kinds) {
      const { apiVersion: _, kind: __, ...crd } = toCrd(kind)
      await client.apply(CustomResourceDefinition, crd, {
        fieldManager: 'talos-operator',
        force: true,
      })
    }
  } finally {
    client.close()
  }
}
