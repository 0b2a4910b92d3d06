import { setTimeout as delay } from 'node:timers/promises'
import { Secret } from '#base/secret.ts'
import { generateConfig } from '#machineconfig/generate/generate-config.ts'
import type { Role } from '#machineconfig/generate/options.ts'
import { adminCertificate } from '#machineconfig/secrets/certificates.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import { TalosClient } from '#talos/client.ts'
import type { ClusterAccess } from '#talos/machine-target.ts'
import { outcomeOf } from '#talos/outcome.ts'

const CONTROL_PLANES = 3
export const CLUSTER_SIZE = 5
// The keys of v1.13 contain an RSA key, which takes seconds to make and is none of the simulator's business.
const CONTRACT = 'v1.6.0'
const LOOK_EVERY_MS = 20
const GIVE_UP_MS = 60_000

/** A cluster that is to be, on machines that wait for a configuration. */
export interface PlannedCluster {
  machines: readonly { address: string; role: Role; text: string }[]
  access: ClusterAccess
}

export async function aCluster(name: string, all: readonly string[]): Promise<PlannedCluster> {
  const now = new Date()
  const secrets = await generateBundle({ talosVersion: CONTRACT, now })
  const { certificate, key } = await adminCertificate({
    ...{ ca: secrets.talos, roles: ['os:admin'], now },
  })
  const textFor = (role: Role) =>
    writeConfig(
      generateConfig(role, {
        clusterName: name,
        endpoint: `https://${all[0]}:6443`,
        secrets,
        talosVersion: CONTRACT,
        kubernetesVersion: '1.32.0',
        // The form is old, what is installed is not.
        install: { image: 'ghcr.io/siderolabs/installer:v1.13.0' },
      }),
    )
  const texts = { controlplane: textFor('controlplane'), worker: textFor('worker') }
  return {
    machines: all.map((address, index) => {
      const role = index < CONTROL_PLANES ? 'controlplane' : 'worker'
      return { address, role, text: texts[role] }
    }),
    access: { kind: 'cluster', authority: secrets.talos.certificate, certificate, key },
  }
}

/** Configures the machines, bootstraps the first, and waits until all are running and ready. */
export async function bringUp({ machines, access }: PlannedCluster): Promise<void> {
  const client = new TalosClient()
  try {
    await Promise.all(
      machines.map(({ address, text }) =>
        client
          .machine({ address, access: { kind: 'maintenance' } })
          .configuration.apply({ configuration: new Secret(text), mode: 'auto' }),
      ),
    )
    const all = machines.map(({ address }) => client.machine({ address, access }))
    await untilDone(async () => {
      await all[0]?.bootstrap()
      return true
    })
    for (const machine of all) {
      await untilDone(async () => {
        const state = await machine.state.status()
        return state?.stage === 'running' && state.isReady
      })
    }
  } finally {
    client.close()
  }
}

/** Asks again while the answer is no, or the machine is not there yet. */
async function untilDone(ask: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS
  for (;;) {
    const isDone = await ask().catch((error: unknown) => {
      const outcome = outcomeOf(error)
      if (outcome === 'already-done') return true
      if (outcome === undefined || outcome === 'refused' || performance.now() > giveUpAt)
        throw error
      return false
    })
    if (isDone) return
    if (performance.now() > giveUpAt) throw new Error('a simulated cluster did not become ready')
    await delay(LOOK_EVERY_MS)
  }
}
