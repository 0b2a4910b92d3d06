import { lived } from '#test/bench/lived.ts'
import type { Minute } from '#test/bench/operator-minute.ts'
import type { Measurement, Row } from '#test/bench/row.ts'
import { shapesLife } from '#test/bench/shapes-life.ts'
import { shown } from '#test/bench/table.ts'

const CLUSTERS = 100
const MIB_PER_MB = 1e6 / 1024 ** 2

const life = lived(() => shapesLife(CLUSTERS))

const figure = async (of: (minute: Minute) => number): Promise<Measurement> => {
  const minute = await life()
  const { residentMb, peakMb, cpuPercent, writes, logLines } = minute
  return {
    value: of(minute),
    detail: `${CLUSTERS} KubernetesClusters, 1,000 Machines without addresses, the shipped bundle against the embedded API; in a minute: ${shown(residentMb)} MB (${shown(peakMb)} at most), ${shown(cpuPercent)} % of a core, ${logLines} log lines, ${writes} writes`,
  }
}

/** How much memory clusters by their shape take. */
export const operatorShapesMemory: Row = {
  ...{ name: 'operator-shapes-memory', budget: 128, unit: 'MiB RSS', better: 'less' },
  measure: () => figure(({ residentMb }) => residentMb * MIB_PER_MB),
}

/** That nothing is written while nothing happens. */
export const operatorShapesWrites: Row = {
  ...{ name: 'operator-shapes-writes', budget: 0, unit: 'writes/min', better: 'less' },
  measure: () => figure(({ writes }) => writes),
}
