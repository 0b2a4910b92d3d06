import { lived } from '#test/bench/lived.ts'
import { median } from '#test/bench/median.ts'
import { percentile } from '#test/bench/percentile.ts'
import type { Row } from '#test/bench/row.ts'
import { shown } from '#test/bench/table.ts'
import { ROUNDS, SIZE, type Trouble, troubleLife } from '#test/bench/trouble-life.ts'

const CLUSTERS = 100

const life = lived(() => troubleLife(CLUSTERS))

/** How much longer the passes of others take when something is wrong with one cluster. */
const rowOf = (name: string, trouble: Trouble, what: string): Row => ({
  ...{ name, budget: 10, unit: '% more', better: 'less' },
  async measure() {
    const { none: without, [trouble]: beside } = await life()
    const p99 = (seconds: readonly number[]) => percentile(seconds, 0.99) * 1e3
    const words = (seconds: readonly number[]) =>
      `p99 ${shown(p99(seconds))} ms, median ${shown(median(seconds) * 1e3)} ms, at most ${shown(Math.max(...seconds) * 1e3)} ms of ${seconds.length} passes`
    return {
      value: (p99(beside) / p99(without) - 1) * 100,
      detail: [
        `p99 of passes of ${CLUSTERS - 1} clusters of ${SIZE.controlPlanes} + ${SIZE.workers} while ${what}, and while nothing is wrong, ${ROUNDS} times by turns; all the while others are edited`,
        `without: ${words(without)}`,
        `beside: ${words(beside)}`,
      ].join('; '),
    }
  },
})

/** All of them are figures of one life. */
export const troubleRows: readonly Row[] = [
  rowOf('black-hole', 'silent', 'all machines and the API of another one are silent'),
  rowOf('slow-machine', 'slow', 'a machine of another one takes 3 s for each answer'),
  rowOf('node-flood', 'floods', 'the nodes of another one change 50 times a second'),
]
