// `make bench`: the figures that have a budget. Exits 0 whether they keep it or not, and 1 when one
// could not be measured. ONLY=name,name measures some of them.

import { join } from 'node:path'
import type { RealKubernetes } from '#test/conformance/kubernetes/real-kubernetes.ts'
import { ApiDuel } from './api-duel.ts'
import { kubernetesWithKinds } from './kubernetes-with-kinds.ts'
import { currentSetting, type Setting, writeRecord } from './record.ts'
import type { Measurement, Outcome, Row } from './row.ts'
import { apiList } from './rows/api-list.ts'
import { apiLoop } from './rows/api-loop.ts'
import { apiMemory } from './rows/api-memory.ts'
import { apiApplies, apiCreates, apiGets, apiWatch } from './rows/api-rates.ts'
import { apiReady } from './rows/api-ready.ts'
import { cacheMemory, watchRate } from './rows/cache.ts'
import { applies, reads } from './rows/calls.ts'
import { demoReady } from './rows/demo.ts'
import { growth } from './rows/growth.ts'
import { killed } from './rows/killed.ts'
import { machineconfig, machineconfigLoop, machineconfigSecrets } from './rows/machineconfig.ts'
import {
  operatorDeadCpu,
  operatorDeadLog,
  operatorDeadMemory,
  operatorDeadTold,
} from './rows/operator-dead.ts'
import {
  editFirstCall,
  operatorGrowth,
  operatorSettledCpu,
  operatorSettledMemory,
  operatorSettledWrites,
} from './rows/operator-settled.ts'
import { operatorShapedMemory, operatorShapedWrites } from './rows/operator-shaped.ts'
import { operatorShapesMemory, operatorShapesWrites } from './rows/operator-shapes.ts'
import { runMemory, runReady } from './rows/run.ts'
import { shippedSize, versionStart } from './rows/shipped.ts'
import {
  simulatorCluster,
  simulatorClusters,
  simulatorMemory,
  simulatorReady,
} from './rows/simulator.ts'
import { talosCalls, talosDials } from './rows/talos.ts'
import { thousandRows } from './rows/thousand.ts'
import { troubleRows } from './rows/trouble.ts'
import { upgradeAvailability, upgradeMemory } from './rows/upgrade.ts'
import { selected } from './selection.ts'
import { Shared } from './shared.ts'
import { root } from './subject.ts'
import { lineOf } from './table.ts'

const FILE = 'dist/bench.json'

// Rows that share something stand together: it is ended as soon as a row does without it.
const ROWS: readonly Row[] = [
  ...[machineconfig, machineconfigSecrets, machineconfigLoop],
  ...[talosCalls, talosDials],
  ...[simulatorReady, simulatorCluster, simulatorMemory, simulatorClusters],
  // Those of one life stand together as well: it is lived for the first of them.
  ...[operatorDeadMemory, operatorDeadCpu, operatorDeadLog, operatorDeadTold],
  ...[operatorSettledMemory, operatorSettledCpu, operatorSettledWrites, operatorGrowth],
  editFirstCall,
  ...[operatorShapesMemory, operatorShapesWrites],
  ...[operatorShapedMemory, operatorShapedWrites],
  ...[upgradeAvailability, upgradeMemory],
  growth,
  ...thousandRows,
  killed,
  ...troubleRows,
  ...[cacheMemory, watchRate],
  ...[reads, applies, runReady, runMemory],
  apiReady,
  ...[demoReady, versionStart, shippedSize],
  // The last one does what the others' figures should not suffer from.
  ...[apiCreates, apiApplies, apiGets, apiWatch, apiMemory, apiList, apiLoop],
]

const print = (line: string) => process.stdout.write(`${line}\n`)

async function main(): Promise<void> {
  const rows = selected(ROWS, process.env.ONLY)
  const names = rows.map(({ name }) => name)
  const setting = await currentSetting()
  print(headerOf(setting))
  await using kubernetes = new Shared(() => kubernetesWithKinds())
  await using duel = new Shared(ApiDuel.start)
  const outcomes: Outcome[] = []
  for (const row of rows) {
    const outcome = await outcomeOf(row, { kubernetes, duel })
    outcomes.push(outcome)
    print(lineOf(outcome, names))
  }
  await writeRecord(join(root, FILE), setting, outcomes)
  print(`written to ${FILE}`)
  if (outcomes.some((outcome) => 'whyNot' in outcome)) process.exitCode = 1
}

const headerOf = ({ date, node, cpus, commit, loadBefore }: Setting): string =>
  [
    `${date}, Node ${node}, commit ${commit ?? 'unknown'}`,
    `${cpus} cores, which servers and clients share; load ${loadBefore.toFixed(1)} before`,
  ].join('; ')

interface ForRows {
  kubernetes: Shared<RealKubernetes>
  duel: Shared<ApiDuel>
}

async function outcomeOf(row: Row, shared: ForRows): Promise<Outcome> {
  const { name, budget, unit, better } = row
  const figure = { name, budget, unit, better }
  try {
    return { ...figure, ...(await measured(row, shared)) }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { ...figure, whyNot: why.trim().replaceAll(/\s*\n\s*/g, '; ') }
  }
}

/** Servers that a row has no use for would only take their share of the cores. */
async function measured(row: Row, { kubernetes, duel }: ForRows): Promise<Measurement> {
  if (row.needs !== 'real-kubernetes') await kubernetes[Symbol.asyncDispose]()
  if (row.needs !== 'api-duel') await duel[Symbol.asyncDispose]()
  if (row.needs === 'real-kubernetes') return row.measure(await kubernetes.get())
  if (row.needs === 'api-duel') return row.measure(await duel.get())
  return row.measure()
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
