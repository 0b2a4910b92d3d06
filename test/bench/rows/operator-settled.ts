import { EDIT_EVERY_MS } from '#test/bench/edits.ts'
import { lived } from '#test/bench/lived.ts'
import { median } from '#test/bench/median.ts'
import { percentile } from '#test/bench/percentile.ts'
import type { Measurement, Row } from '#test/bench/row.ts'
import { type SettledLife, SIZE, settledLife } from '#test/bench/settled-life.ts'
import { shown } from '#test/bench/table.ts'

const CLUSTERS = 100
const FEW = 20
const MIB_IN_MB = 1.048_576

const life = lived(() => settledLife(FEW, CLUSTERS))

/** All of them are figures of one life. */
const figure = async (of: (life: SettledLife) => number, words: string): Promise<Measurement> => {
  const one = await life()
  const { residentMb, peakMb, cpuPercent, writes, logLines } = one.minute
  const { early } = one
  return {
    value: of(one),
    detail: [
      `${words}; ${CLUSTERS} clusters of ${SIZE.controlPlanes} + ${SIZE.workers} pretend machines, the shipped bundle that brought them up, against the embedded API`,
      `in a minute, almost seven after the last was up: ${shown(residentMb)} MB (${shown(peakMb)} at most so far), ${shown(cpuPercent)} % of a core, ${writes} writes but for the lease, ${logLines} log lines`,
      `in the minute that began 45 s after: ${shown(early.residentMb)} MB, ${shown(early.cpuPercent)} %, ${early.writes} writes`,
      `${shown(one.few.residentMb)} MB with ${FEW} clusters; the other ${CLUSTERS - FEW} were up in ${shown(one.upSeconds)} s`,
    ].join('; '),
  }
}

/** How much memory settled clusters take. */
export const operatorSettledMemory: Row = {
  ...{ name: 'operator-settled-memory', budget: 128, unit: 'MiB RSS', better: 'less' },
  measure: () => figure(({ minute }) => minute.residentMb / MIB_IN_MB, 'at the end of the minute'),
}

/** How much work they are. */
export const operatorSettledCpu: Row = {
  ...{ name: 'operator-settled-cpu', budget: 2, unit: '% of a core', better: 'less' },
  measure: () => figure(({ minute }) => minute.cpuPercent, 'over the minute'),
}

/** How often something is written though nothing happens. */
export const operatorSettledWrites: Row = {
  ...{ name: 'operator-settled-writes', budget: 0, unit: 'writes/min', better: 'less' },
  measure: () => figure(({ minute }) => minute.writes, 'over the minute'),
}

/** How much memory one more settled cluster takes. */
export const operatorGrowth: Row = {
  ...{ name: 'operator-growth', budget: 200, unit: 'KB/cluster', better: 'less' },
  measure: () =>
    figure(
      ({ few, early }) => ((early.residentMb - few.residentMb) / (CLUSTERS - FEW)) * 1e3,
      `from ${FEW} to ${CLUSTERS} clusters, soon after they were up`,
    ),
}

/** How soon a machine of a cluster hears of an edit. */
export const editFirstCall: Row = {
  ...{ name: 'edit-first-call-p99', budget: 1, unit: 's', better: 'less' },
  async measure() {
    const { edits } = await life()
    const { firstCallMs, load } = edits
    return {
      value: percentile(firstCallMs, 0.99) / 1e3,
      detail: [
        `from the answer to an edit of a TalosCluster (a label for one machine of its control plane) to the first call to any machine of that cluster; ${firstCallMs.length} edits, each of another of ${CLUSTERS} settled clusters of ${SIZE.controlPlanes} + ${SIZE.workers}, one every ${EDIT_EVERY_MS / 1e3} s while the changes of the ones before are rolled out`,
        `median ${shown(median(firstCallMs))} ms, p99 ${shown(percentile(firstCallMs, 0.99))} ms, at most ${shown(Math.max(...firstCallMs))} ms; load ${load.toFixed(1)}`,
      ].join('; '),
    }
  },
}
