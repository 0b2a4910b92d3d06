import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { toCrd } from '#api/crd.ts'
import { CustomResourceDefinition } from '#api/foreign.ts'
import { kinds } from '#api/kinds.ts'
import { filesInFolder } from '#apiserver/security/key-files.ts'
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
  await using api = await openApi(host, log)
  const kubeconfig = join(host.dataFolder, 'kubeconfig')
  await writeKubeconfig(kubeconfig, {
    server: api.url,
    authority: api.keys.authority,
    client: api.keys.admin,
  })
  const access = await kubeconfigAccess({ env, homeFolder, path: kubeconfig, clock, signal })
  await installKinds(access, clock)
  host.onReady(kubeconfig, api.url)
  const { version } = packageFile
  await runOperator({ settings, access, controllers, version, clock, log, signal })
}

async function openApi(host: Host, log: Log): Promise<RunningApi> {
  const { dataFolder, address, clock, authentication } = host
  await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  return startApi({
    backend: lmdbBackend({ path: join(dataFolder, 'store') }),
    keyFiles: await filesInFolder(join(dataFolder, 'pki'), log),
    address,
    authentication,
    clock,
    log,
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
