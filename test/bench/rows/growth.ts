import { growthPoint } from '#test/bench/growth-point.ts'
import { startManagement } from '#test/bench/management.ts'
import { type CameUp, comeUp, manyClusters, SIZE } from '#test/bench/many-clusters.ts'
import { startOperator } from '#test/bench/operator-process.ts'
import type { Row } from '#test/bench/row.ts'
import { shown } from '#test/bench/table.ts'

const [FEW, SOME, MANY] = [10, 100, 300]

/** How much memory one more small cluster takes, and how all else grows with them: each size in a life of its own. */
export const growth: Row = {
  ...{ name: 'growth-small', budget: 200, unit: 'KB/cluster', better: 'less' },
  async measure() {
    const [few, some, many] = [await lifeOf(FEW), await lifeOf(SOME), await lifeOf(MANY)]
    return {
      value: ((many.minute.residentMb - some.minute.residentMb) / (MANY - SOME)) * 1e3,
      detail: [
        `from ${SOME} to ${MANY} settled clusters of ${SIZE.controlPlanes} + ${SIZE.workers} pretend machines, the shipped bundle, against the embedded API`,
        ...[wordsFor(FEW, few), wordsFor(SOME, some), wordsFor(MANY, many)],
      ].join('; '),
      points: [growthPoint(FEW, few), growthPoint(SOME, some), growthPoint(MANY, many)],
    }
  },
}

async function lifeOf(count: number): Promise<CameUp> {
  await using many = await manyClusters(count, startManagement)
  await using operator = await startOperator(many.management.kubeconfig)
  return await comeUp(operator, many)
}

const wordsFor = (count: number, { upSeconds, peakMb, minute }: CameUp): string =>
  `${count}: ready in ${shown(upSeconds)} s with ${shown(peakMb)} MB at most, a minute later ${shown(minute.residentMb)} MB, ${shown(minute.cpuPercent)} % of a core, ${minute.writes} writes a minute`
