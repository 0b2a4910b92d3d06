import { setTimeout as delay } from 'node:timers/promises'
import { median } from '#test/bench/median.ts'
import { demandOperator, startOperator } from '#test/bench/operator-process.ts'
import type { Row } from '#test/bench/row.ts'
import { shown } from '#test/bench/table.ts'

const STARTS = 5
const IDLE_SECONDS = 30

/** How long the operator takes to be ready, from the start of its process. */
export const runReady: Row = {
  name: 'run-ready',
  budget: 1,
  unit: 's',
  better: 'less',
  needs: 'real-kubernetes',
  async measure({ kubeconfig }) {
    await demandOperator()
    const seconds: number[] = []
    for (let start = 0; start < STARTS; start++) {
      await using operator = await startOperator(kubeconfig)
      seconds.push(operator.readySeconds)
    }
    return {
      value: median(seconds),
      detail: `from the start of the bundle to 200 on /readyz, the API being there; median of ${STARTS} starts, at most ${shown(Math.max(...seconds))} s`,
    }
  },
}

/** How much memory the operator takes when there is nothing to do. */
export const runMemory: Row = {
  name: 'run-memory',
  budget: 75,
  unit: 'MB RSS',
  better: 'less',
  needs: 'real-kubernetes',
  async measure({ kubeconfig }) {
    await demandOperator()
    await using operator = await startOperator(kubeconfig)
    await delay(IDLE_SECONDS * 1e3)
    const { nowMb, peakMb } = await operator.memory()
    return {
      value: nowMb,
      detail: `the bundle, ${IDLE_SECONDS} s after it was ready, all kinds installed and no objects; ${shown(peakMb)} MB at most`,
    }
  },
}
