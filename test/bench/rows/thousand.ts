import { growthPoint } from '#test/bench/growth-point.ts'
import { lived } from '#test/bench/lived.ts'
import { type Management, startManagement, startRealManagement } from '#test/bench/management.ts'
import { SIZE } from '#test/bench/many-clusters.ts'
import { median } from '#test/bench/median.ts'
import { percentile } from '#test/bench/percentile.ts'
import type { Measurement, Row } from '#test/bench/row.ts'
import { shown } from '#test/bench/table.ts'
import { EDITED, type ThousandLife, thousandLife } from '#test/bench/thousand-life.ts'

const CLUSTERS = 1_000

interface Api {
  /** What the names of its rows end in. */
  suffix: '' | '-real'
  words: string
  start: () => Promise<Management>
}

/** All of them are figures of one life. */
function rowsOn({ suffix, words, start }: Api): Row[] {
  const life = lived(() => thousandLife(CLUSTERS, start))
  const figure = async (of: (life: ThousandLife) => number): Promise<Measurement> => {
    const one = await life()
    return { value: of(one), detail: detailOf(one, words) }
  }
  return [
    {
      ...{ name: `thousand-up${suffix}`, budget: 600, unit: 's', better: 'less' },
      measure: async () => ({
        ...(await figure(({ upSeconds }) => upSeconds)),
        ...(suffix === '' && { points: [growthPoint(CLUSTERS, await life())] }),
      }),
    },
    {
      ...{ name: `thousand-memory${suffix}`, budget: 400, unit: 'MB RSS', better: 'less' },
      measure: () => figure(({ minute }) => minute.peakMb),
    },
    {
      ...{ name: `thousand-edit-p99${suffix}`, budget: 1, unit: 's', better: 'less' },
      measure: () => figure(({ edits }) => percentile(edits.firstCallMs, 0.99) / 1e3),
    },
    {
      ...{ name: `thousand-restart${suffix}`, budget: 5, unit: 's', better: 'less' },
      measure: () => figure(({ restart }) => restart.servedSeconds),
    },
  ]
}

function detailOf(one: ThousandLife, words: string): string {
  const { applySeconds, upSeconds, peakMb, load, minute, edits, restart } = one
  const { firstCallMs } = edits
  return [
    `${CLUSTERS} clusters of ${SIZE.controlPlanes} + ${SIZE.workers} pretend machines whose keys are brought along, applied at once by kubectl, the shipped bundle, against ${words}`,
    `kubectl took ${shown(applySeconds)} s, all were ready after ${shown(upSeconds)} s with ${shown(peakMb)} MB at most and a load of ${load.toFixed(1)}`,
    `a minute later ${shown(minute.residentMb)} MB (${shown(minute.peakMb)} at most so far), ${shown(minute.cpuPercent)} % of a core, ${minute.writes} writes but for the lease, ${minute.logLines} log lines in a minute`,
    `from an edit to the first call to a machine of the cluster, ${EDITED} edits of as many clusters: median ${shown(median(firstCallMs))} ms, p99 ${shown(percentile(firstCallMs, 0.99))} ms, at most ${shown(Math.max(...firstCallMs))} ms`,
    `an operator that started anew was ready in ${shown(restart.readySeconds)} s, and told a machine its new configuration, edited when it was started, ${shown(restart.servedSeconds)} s after its start`,
  ].join('; ')
}

/** What a thousand clusters take, with either API. */
export const thousandRows: readonly Row[] = [
  ...rowsOn({ suffix: '', words: 'the embedded API', start: startManagement }),
  ...rowsOn({
    ...{ suffix: '-real', words: 'kube-apiserver and etcd', start: startRealManagement },
  }),
]
