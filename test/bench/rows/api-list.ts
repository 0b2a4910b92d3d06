import type { ApiSide } from '#test/bench/api-side.ts'
import { NAMESPACE, OBJECTS } from '#test/bench/contests.ts'
import { median } from '#test/bench/median.ts'
import type { Row } from '#test/bench/row.ts'
import { shown } from '#test/bench/table.ts'

const PATH = `/api/v1/namespaces/${NAMESPACE}/configmaps`
const LISTS = 5

/** How long a list takes until its last byte is there. */
export const apiList: Row = {
  name: 'api-list',
  budget: 400,
  unit: 'ms',
  better: 'less',
  needs: 'api-duel',
  async measure(duel) {
    await duel.scores('create')
    const real = await listed(duel.real)
    const embedded = await listed(duel.embedded)
    return {
      value: embedded.ms,
      detail: `${shown(OBJECTS)} ConfigMaps of 4 KB, ${shown(embedded.bodyBytes / 1e6)} MB in one answer; ${shown(real.ms)} ms with kube-apiserver; median of ${LISTS} after one`,
    }
  },
}

async function listed({ load }: ApiSide): Promise<{ ms: number; bodyBytes: number }> {
  const { bodyBytes } = await load.ask('fetch', PATH)
  const seconds: number[] = []
  for (let turn = 0; turn < LISTS; turn++) seconds.push((await load.ask('fetch', PATH)).seconds)
  return { ms: median(seconds) * 1e3, bodyBytes }
}
