import { loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { Machine } from '#api/machine.ts'
import { followObjects } from './followed-objects.ts'
import { startManagement } from './management.ts'
import { demandOperator, startOperator } from './operator-process.ts'
import { createCluster, loopback } from './pretend-clusters.ts'
import { PRETEND_TALOS } from './pretend-machines.ts'
import { allReady } from './ready.ts'
import { startFleet } from './simulated-fleet.ts'
import { setTalosVersion, untilTalos } from './talos-upgrade.ts'

const PER_CLUSTER = 2
const BLOCK = 54
const ROUND_WITHIN_MS = 600_000
// By then garbage has been collected, and connections that nobody uses are gone.
const REST_MS = 240_000

interface Upgrades {
  clusters: number
  /** How often each of them is upgraded. */
  rounds: number
  /** After how many of these the first rest is. */
  restAfter: number
}

/** How much memory an operator held that upgraded clusters again and again. */
interface MemoryLife {
  /** After the first rest, and after that in the end. */
  earlyMb: number
  lateMb: number
  /** Right after each round. */
  roundMb: readonly number[]
  seconds: number
  /** Of the computer, at the end. */
  load: number
}

/** Small clusters come up, and all of them are upgraded to one version after the other. */
export async function memoryLife({ clusters, rounds, restAfter }: Upgrades): Promise<MemoryLife> {
  await demandOperator()
  const addresses = loopback(BLOCK, 0, clusters * PER_CLUSTER)
  await using management = await startManagement()
  await using _fleet = await startFleet({ addresses, talosVersion: PRETEND_TALOS })
  await using machines = await followObjects(management.client, Machine)
  await using operator = await startOperator(management.kubeconfig)
  const names = Array.from({ length: clusters }, (_, at) => `cluster-${at}`)
  for (const [at, name] of names.entries()) {
    const own = addresses.slice(at * PER_CLUSTER, (at + 1) * PER_CLUSTER)
    await createCluster(management.client, { name, addresses: own, controlPlanes: 1 })
  }
  await allReady(machines, addresses.length)
  const start = performance.now()
  const residentMb = async () => (await operator.memory()).nowMb
  const rested = async () => {
    await delay(REST_MS)
    return residentMb()
  }
  const roundMb: number[] = []
  const upTo = async (last: number) => {
    for (let round = roundMb.length + 1; round <= last; round++) {
      const version = `v1.13.${round}`
      await Promise.all(names.map((name) => setTalosVersion(management.client, name, version)))
      await untilTalos(machines, version, ROUND_WITHIN_MS)
      roundMb.push(await residentMb())
    }
    return rested()
  }
  const [earlyMb, lateMb] = [await upTo(restAfter), await upTo(rounds)]
  const seconds = (performance.now() - start) / 1e3
  return { earlyMb, lateMb, roundMb, seconds, load: loadavg()[0] ?? 0 }
}
