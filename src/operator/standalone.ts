import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { toCrd } from '#api/crd.ts'
import { CustomResourceDefinition, Lease } from '#api/foreign.ts'
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
import { createMetrics } from '#runtime/metrics.ts'
import { controllersWith } from './controllers.ts'
import { runOperator } from './operator.ts'
import { openPorts } from './ports.ts'
import type { Settings } from './settings.ts'
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
  /** Takes the lines of the log. Left out: standard error. */
  writeLog?: (line: string) => void
}

/** Runs the embedded API and the operator against it. Rejects with sentences for whoever started it. */
export async function startStandalone(host: Host): Promise<void> {
  const { flags, env, homeFolder, clock, signal, writeLog } = host
  const settings = await loadSettings({ flags, env }, signal)
  const { logLevel: level, logFormat: format } = settings
  using log = calm(createLog({ level, format, ...(writeLog && { write: writeLog }) }), { clock })
  const kubeconfig = join(host.dataFolder, 'kubeconfig')
  const isNew = !existsSync(kubeconfig)
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
  const client = new KubeClient({ access, clock, userAgent: 'talos-operator' })
  try {
    await installKinds(client)
    if (isNew) await leaveLeaseFree(client, settings, access.namespace)
  } finally {
    client.close()
  }
  host.onReady(kubeconfig, api.url)
  const { version } = packageFile
  const metrics = createMetrics({ version })
  await using ports = openPorts({ clock, log, version, metrics, settings })
  const controllers = controllersWith(ports)
  await runOperator({ settings, access, controllers, metrics, version, clock, log, signal })
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
async function installKinds(client: KubeClient): Promise<void> {
  for (const kind of kinds) {
    const { apiVersion: _, kind: __, ...crd } = toCrd(kind)
    await client.apply(CustomResourceDefinition, crd, {
      fieldManager: 'talos-operator',
      force: true,
    })
  }
}

/**
 * A Lease that is not there may have been deleted under a leader, who is then waited for. Nobody can have
 * led before the keys to this API were made, so here it is one that was given back.
 */
async function leaveLeaseFree(
  client: KubeClient,
  { leaderElectionNamespace, leaderElectionName: name }: Settings,
  ofContext: string,
): Promise<void> {
  const namespace = leaderElectionNamespace ?? ofContext
  await client.create(Lease, {
    metadata: { namespace, name },
    spec: { holderIdentity: '', leaseDurationSeconds: 1 },
  })
}
