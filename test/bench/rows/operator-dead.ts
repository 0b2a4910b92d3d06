import { type DeadLife, deadLife } from '#test/bench/dead-life.ts'
import { lived } from '#test/bench/lived.ts'
import type { Measurement, Row } from '#test/bench/row.ts'
import { shown } from '#test/bench/table.ts'

const CLUSTERS = 60

const life = lived(() => deadLife(CLUSTERS))

/** All of them are figures of one life. */
const figure = async (of: (life: DeadLife) => number, words: string): Promise<Measurement> => {
  const one = await life()
  const { residentMb, peakMb, cpuPercent, writes, logLines } = one.minute
  return {
    value: of(one),
    detail: [
      `${words}; 300 machines in ${CLUSTERS} clusters, half of them silent on a connection and half refusing one, the shipped bundle against the embedded API`,
      `in a minute after all were told of: ${shown(residentMb)} MB (${shown(peakMb)} at most), ${shown(cpuPercent)} % of a core, ${logLines} log lines, ${writes} writes`,
      `told within ${shown(one.silentSeconds)} s (silent) and ${shown(one.refusingSeconds)} s (refusing)`,
    ].join('; '),
  }
}

/** How much memory machines take that do not answer. */
export const operatorDeadMemory: Row = {
  ...{ name: 'operator-dead-memory', budget: 100, unit: 'MB RSS', better: 'less' },
  measure: () => figure(({ minute }) => minute.residentMb, 'at the end of the minute'),
}

/** How much work they are. */
export const operatorDeadCpu: Row = {
  ...{ name: 'operator-dead-cpu', budget: 1, unit: '% of a core', better: 'less' },
  measure: () => figure(({ minute }) => minute.cpuPercent, 'over the minute'),
}

/** How much is said about them. */
export const operatorDeadLog: Row = {
  ...{ name: 'operator-dead-log', budget: 300, unit: 'lines/min', better: 'less' },
  measure: () => figure(({ minute }) => minute.logLines, 'over the minute'),
}

/** How soon the status of each says so. */
export const operatorDeadTold: Row = {
  ...{ name: 'operator-dead-told', budget: 5, unit: 's', better: 'less' },
  measure: () =>
    figure(({ toldSeconds }) => toldSeconds, 'from a TalosMachine to Unreachable in its status'),
}
