import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { createSecureContext, type SecureContext } from 'node:tls'
import { Machine } from '#api/machine.ts'
import { systemClock } from '#base/clock.ts'
import { credentialOf } from '#cli/credential-of.ts'
import type { KubeClient } from '#kube/client.ts'
import { kubeconfigAccess } from '#kube/kubeconfig.ts'
import { ApiProbes, type Probe } from './api-probes.ts'
import { followObjects } from './followed-objects.ts'
import { startManagement } from './management.ts'
import { demandOperator, startOperator } from './operator-process.ts'
import { createCluster, loopback } from './pretend-clusters.ts'
import { PRETEND_TALOS } from './pretend-machines.ts'
import { allReady } from './ready.ts'
import { KUBERNETES_PORT, startFleet } from './simulated-fleet.ts'
import { setTalosVersion, untilTalos } from './talos-upgrade.ts'
import { temporaryFolder } from './temporary-folder.ts'

const NAME = 'upgraded'
const BLOCK = 53
const UPGRADED_WITHIN_MS = 1_800_000

interface Upgrade {
  controlPlanes: number
  workers: number
  /** How much faster than real ones the machines are. */
  speed: number
  to: string
}

/** What became of a cluster's API while the cluster was upgraded. */
export interface AvailabilityLife {
  probes: readonly Probe[]
  seconds: number
  /** Of the computer, at the end. */
  load: number
}

/** A cluster comes up and gets another version of Talos; meanwhile its API is asked. */
export async function availabilityLife(upgrade: Upgrade): Promise<AvailabilityLife> {
  const { controlPlanes, workers, speed, to } = upgrade
  await demandOperator()
  const addresses = loopback(BLOCK, 0, controlPlanes + workers)
  await using management = await startManagement()
  await using fleet = await startFleet({ addresses, talosVersion: PRETEND_TALOS, speed })
  await using machines = await followObjects(management.client, Machine)
  await using _operator = await startOperator(management.kubeconfig)
  await createCluster(management.client, { name: NAME, addresses, controlPlanes })
  await allReady(machines, addresses.length)
  const secureContext = await adminContext(management.client)
  const start = performance.now()
  const probes = new ApiProbes({
    ...{ secureContext, port: KUBERNETES_PORT },
    survivors: () => fleet.ask('surviving', addresses.slice(0, controlPlanes)),
  })
  try {
    await setTalosVersion(management.client, NAME, to)
    await untilTalos(machines, to, UPGRADED_WITHIN_MS)
  } finally {
    await probes.end()
  }
  const versions = await fleet.ask('versions', undefined)
  const old = versions.filter((version) => version !== to)
  if (old.length > 0) throw new Error(`${old.length} machines do not run ${to}: ${old.join(', ')}`)
  return {
    probes: await probes.end(),
    seconds: (performance.now() - start) / 1e3,
    load: loadavg()[0] ?? 0,
  }
}

/** As the administrator whose kubeconfig the operator delivers. */
async function adminContext(client: KubeClient): Promise<SecureContext> {
  const text = await credentialOf(client, { namespace: 'default', name: NAME, file: 'kubeconfig' })
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'kubeconfig')
  await writeFile(path, text.open(), { mode: 0o600 })
  const { signal } = new AbortController()
  const clock = systemClock
  const access = await kubeconfigAccess({ env: {}, homeFolder: folder.path, path, clock, signal })
  const { certificate } = await access.credentials({ renew: false, signal })
  const ca = await access.authority?.({ renew: false, signal })
  if (!certificate || ca === undefined) throw new Error('the kubeconfig is not whole')
  return createSecureContext({ ca, cert: certificate.certificate, key: certificate.key.open() })
}
