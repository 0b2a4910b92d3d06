import { killedLife } from '#test/bench/killed-life.ts'
import { SIZE } from '#test/bench/many-clusters.ts'
import type { Row } from '#test/bench/row.ts'
import { shown } from '#test/bench/table.ts'

const CLUSTERS = 1_000
// Before anything is there, while keys and machines are taken up, and until almost all is done.
const KILLED_AT = [0, 0.02, 0.1, 0.3, 0.6, 0.95]
const NAMED = 5

/** What is done twice, or never, when the operator is killed again and again while a thousand clusters come up. */
export const killed: Row = {
  ...{ name: 'thousand-killed', budget: 0, unit: 'wrong deeds', better: 'less' },
  async measure() {
    const { otherwise, upSeconds, readyThen } = await killedLife(CLUSTERS, KILLED_AT)
    return {
      value: otherwise.length,
      detail: [
        `${CLUSTERS} clusters of ${SIZE.controlPlanes} + ${SIZE.workers} pretend machines, applied at once by kubectl, the shipped bundle, against the embedded API`,
        `the operator was ended by SIGKILL when ${readyThen.join(', ')} of them were ready, and another one started`,
        `all were ready after ${shown(upSeconds)} s; each was to be begun once, and each of its machines installed once and never reset`,
        ...otherwise.slice(0, NAMED),
      ].join('; '),
    }
  },
}
