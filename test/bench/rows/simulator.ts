import type { Row } from '#test/bench/row.ts'
import { aCluster, bringUp, CLUSTER_SIZE } from '#test/bench/simulated-clusters.ts'
import { startFleet } from '#test/bench/simulated-fleet.ts'
import { addresses, DIALS_AT_ONCE, versionOfEach } from '#test/bench/simulated-machines.ts'
import { shown } from '#test/bench/table.ts'

const MACHINES = 1_000
const TALOS = 'v1.13.0'
const CLUSTERS = MACHINES / CLUSTER_SIZE
const CLUSTERS_AT_ONCE = 8

const started = async (count: number) => {
  const all = addresses(count)
  const fleet = await startFleet({ addresses: all, talosVersion: TALOS })
  return { fleet, all, seconds: (performance.now() - fleet.startedAtMs) / 1e3 }
}

/** How long until a thousand machines can be configured. */
export const simulatorReady: Row = {
  name: 'simulator-ready',
  budget: 10,
  unit: 's',
  better: 'less',
  async measure() {
    const { fleet, seconds } = await started(MACHINES)
    await using _ = fleet
    return {
      value: seconds,
      detail: `from the start of the process to ${shown(MACHINES)} machines in maintenance mode, at full speed`,
    }
  },
}

/** How much memory a thousand machines take that wait for a configuration. */
export const simulatorMemory: Row = {
  name: 'simulator-memory',
  budget: 500,
  unit: 'MB RSS',
  better: 'less',
  async measure() {
    const { fleet, all } = await started(MACHINES)
    await using _ = fleet
    const listening = (await fleet.memory()).nowMb
    await versionOfEach(all)
    const { peakMb } = await fleet.memory()
    return {
      value: peakMb,
      detail: `the most at any time, ${shown(MACHINES)} machines in one process, each dialled and asked for its version, ${DIALS_AT_ONCE} at once; ${shown(listening)} MB when they listened`,
    }
  },
}

/** How much memory they take when they are clusters. */
export const simulatorClusters: Row = {
  name: 'simulator-clusters',
  budget: 500,
  unit: 'MB RSS',
  better: 'less',
  async measure() {
    const { fleet, all } = await started(MACHINES)
    await using _ = fleet
    const clusters = Array.from({ length: CLUSTERS }, (_, index) =>
      all.slice(index * CLUSTER_SIZE, (index + 1) * CLUSTER_SIZE),
    )
    const start = performance.now()
    const next = async () => {
      for (let machines = clusters.pop(); machines; machines = clusters.pop()) {
        await bringUp(await aCluster(`number-${clusters.length}`, machines))
      }
    }
    await Promise.all(Array.from({ length: CLUSTERS_AT_ONCE }, next))
    const { nowMb, peakMb } = await fleet.memory()
    return {
      value: peakMb,
      detail: [
        `the most at any time, ${shown(MACHINES)} machines in one process that became ${CLUSTERS} clusters of 3 + 2, ${CLUSTERS_AT_ONCE} at once`,
        `${shown(nowMb)} MB in the end; ${shown((performance.now() - start) / 1e3)} s until all were ready`,
      ].join('; '),
    }
  },
}

/** How long a cluster takes from its configuration to all nodes Ready. */
export const simulatorCluster: Row = {
  name: 'simulator-cluster',
  budget: 5,
  unit: 's',
  better: 'less',
  async measure() {
    const { fleet, all } = await started(CLUSTER_SIZE)
    await using _ = fleet
    const cluster = await aCluster('one', all)
    const start = performance.now()
    await bringUp(cluster)
    return {
      value: (performance.now() - start) / 1e3,
      detail: `3 control planes and 2 workers, from the first configuration applied to every machine running and ready, by our client over TLS, at full speed`,
    }
  },
}
