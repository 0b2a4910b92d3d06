import { blackHoleLife, ROUNDS, SIZE } from '#test/bench/black-hole-life.ts'
import { median } from '#test/bench/median.ts'
import { percentile } from '#test/bench/percentile.ts'
import type { Row } from '#test/bench/row.ts'
import { shown } from '#test/bench/table.ts'

const CLUSTERS = 100

/** How much longer the passes of others take when one cluster does not answer. */
export const blackHole: Row = {
  ...{ name: 'black-hole', budget: 10, unit: '% more', better: 'less' },
  async measure() {
    const { without, beside } = await blackHoleLife(CLUSTERS)
    const p99 = (seconds: readonly number[]) => percentile(seconds, 0.99) * 1e3
    const words = (seconds: readonly number[]) =>
      `p99 ${shown(p99(seconds))} ms, median ${shown(median(seconds) * 1e3)} ms, at most ${shown(Math.max(...seconds) * 1e3)} ms of ${seconds.length} passes`
    return {
      value: (p99(beside) / p99(without) - 1) * 100,
      detail: [
        `p99 of passes of ${CLUSTERS - 1} clusters of ${SIZE.controlPlanes} + ${SIZE.workers} while all machines and the API of another one are silent, and while they are not, ${ROUNDS} times by turns; all the while others are edited`,
        `without: ${words(without)}`,
        `beside: ${words(beside)}`,
      ].join('; '),
    }
  },
}
