import { lived } from '#test/bench/lived.ts'
import type { Measurement, Row } from '#test/bench/row.ts'
import { type ShapedLife, SIZE, shapedLife } from '#test/bench/shaped-life.ts'
import { shown } from '#test/bench/table.ts'

const CLUSTERS = 100
const MIB_IN_MB = 1.048_576

const life = lived(() => shapedLife(CLUSTERS))

const figure = async (of: (life: ShapedLife) => number): Promise<Measurement> => {
  const one = await life()
  const { residentMb, peakMb, cpuPercent, writes, logLines } = one.minute
  return {
    value: of(one),
    detail: [
      `${CLUSTERS} KubernetesClusters of ${SIZE.controlPlanes} + ${SIZE.workers} Machines with addresses, which came up on pretend machines in ${shown(one.upSeconds)} s; the shipped bundle against the embedded API`,
      `in a minute, almost six after the last was up: ${shown(residentMb)} MB (${shown(peakMb)} at most so far), ${shown(cpuPercent)} % of a core, ${writes} writes but for the lease, ${logLines} log lines`,
    ].join('; '),
  }
}

/** How much memory clusters by their shape take when they run. */
export const operatorShapedMemory: Row = {
  ...{ name: 'operator-shaped-memory', budget: 128, unit: 'MiB RSS', better: 'less' },
  measure: () => figure(({ minute }) => minute.residentMb / MIB_IN_MB),
}

/** That nothing is written while nothing happens. */
export const operatorShapedWrites: Row = {
  ...{ name: 'operator-shaped-writes', budget: 0, unit: 'writes/min', better: 'less' },
  measure: () => figure(({ minute }) => minute.writes),
}
