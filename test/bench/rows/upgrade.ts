import { availabilityLife } from '#test/bench/availability-life.ts'
import { percentile } from '#test/bench/percentile.ts'
import { PRETEND_TALOS } from '#test/bench/pretend-machines.ts'
import type { Row } from '#test/bench/row.ts'
import { shown } from '#test/bench/table.ts'
import { memoryLife } from '#test/bench/upgrade-memory-life.ts'

const SIZE = { controlPlanes: 3, workers: 10 }
const TO = 'v1.13.1'
// As fast as `talos-operator simulate` is unless told otherwise.
const SPEED = 10
const MOST_SHOWN = 3

/** Whether the API of a cluster answers while its machines are upgraded. */
export const upgradeAvailability: Row = {
  ...{ name: 'upgrade-availability', budget: 99.9, unit: '% answered', better: 'more' },
  async measure() {
    const { probes, seconds, load } = await availabilityLife({ ...SIZE, speed: SPEED, to: TO })
    const failures = probes.filter(({ failure }) => failure !== undefined)
    const tookMs = probes.map((probe) => probe.tookMs)
    const some = failures
      .slice(0, MOST_SHOWN)
      .map(({ address, failure }) => `${address ?? 'nobody'}: ${failure}`)
    return {
      value: ((probes.length - failures.length) / probes.length) * 100,
      detail: [
        `${failures.length} of ${shown(probes.length)} probes in vain${some.length > 0 ? ` (${some.join('; ')})` : ''}`,
        `each is a new connection, verified by the cluster's CA, and a read of an object, within 1 s, 10 a second, at one control plane in turn of those that were not down just then`,
        `${SIZE.controlPlanes} + ${SIZE.workers} pretend machines at ${SPEED} times the speed of real ones from ${PRETEND_TALOS} to ${TO} in ${shown(seconds)} s, one at a time; all run it`,
        `p99 ${shown(percentile(tookMs, 0.99))} ms, at most ${shown(Math.max(...tookMs))} ms; load ${load.toFixed(1)}`,
      ].join('; '),
    }
  },
}

const CLUSTERS = 10
const ROUNDS = 10
const FIRST_ROUNDS = 2

/** Whether upgrades leave something behind in memory. */
export const upgradeMemory: Row = {
  ...{ name: 'upgrade-memory', budget: 5, unit: '% more RSS', better: 'less' },
  async measure() {
    const life = await memoryLife({ clusters: CLUSTERS, rounds: ROUNDS, restAfter: FIRST_ROUNDS })
    const { earlyMb, lateMb, roundMb, seconds, load } = life
    return {
      value: (lateMb / earlyMb - 1) * 100,
      detail: [
        `${shown(earlyMb)} MB after ${CLUSTERS * FIRST_ROUNDS} upgrades and ${shown(lateMb)} MB after ${CLUSTERS * ROUNDS}, each time after a rest`,
        `right after each ${CLUSTERS}: ${roundMb.map((mb) => mb.toFixed(0)).join(', ')} MB`,
        `${CLUSTERS} clusters of 1 + 1 pretend machines at full speed, all upgraded at once, ${ROUNDS} times, ${PRETEND_TALOS} to v1.13.${ROUNDS}; ${shown(seconds)} s, rests included; load ${load.toFixed(1)}`,
      ].join('; '),
    }
  },
}
