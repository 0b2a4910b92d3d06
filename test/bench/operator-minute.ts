import { setTimeout as delay } from 'node:timers/promises'
import { metricSum } from './metric-sum.ts'
import type { OperatorProcess } from './operator-process.ts'

const MINUTE_MS = 60_000

/** What an operator did in a minute in which nothing happened, and what it held then. */
export interface Minute {
  residentMb: number
  peakMb: number
  cpuPercent: number
  /** Calls that change something, but for the lease, which the leader renews. */
  writes: number
  logLines: number
}

/** A minute of an operator's life. */
export async function minuteOf(operator: OperatorProcess): Promise<Minute> {
  const before = await countsOf(operator)
  await delay(MINUTE_MS)
  const after = await countsOf(operator)
  const { nowMb, peakMb } = await operator.memory()
  return {
    residentMb: nowMb,
    peakMb,
    cpuPercent: ((after.cpu - before.cpu) / ((after.atMs - before.atMs) / 1e3)) * 100,
    writes: after.writes - before.writes,
    logLines: after.lines - before.lines,
  }
}

async function countsOf(operator: OperatorProcess) {
  const metrics = await operator.metrics()
  return {
    atMs: performance.now(),
    cpu: await operator.cpuSeconds(),
    lines: await operator.logLines(),
    // Nothing but the lease is ever replaced as a whole.
    writes: metricSum(
      metrics,
      'talos_operator_api_requests_total',
      /verb="(create|patch|apply|delete)"/,
    ),
  }
}
