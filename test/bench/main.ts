// `make bench`: the figures that have a budget. Exits 0 whether they keep it or not, and 1 when one
// could not be measured. ONLY=name,name measures some of them.

import { join } from 'node:path'
import { currentSetting, type Setting, writeRecord } from './record.ts'
import type { Outcome, Row } from './row.ts'
import { cacheMemory, watchRate } from './rows/cache.ts'
import { applies, reads } from './rows/calls.ts'
import { runMemory, runReady } from './rows/run.ts'
import { selected } from './selection.ts'
import { SharedKubernetes } from './shared-kubernetes.ts'
import { root } from './subject.ts'
import { lineOf } from './table.ts'

const FILE = 'dist/bench.json'

const ROWS: readonly Row[] = [cacheMemory, watchRate, reads, applies, runReady, runMemory]

const print = (line: string) => process.stdout.write(`${line}\n`)

async function main(): Promise<void> {
  const rows = selected(ROWS, process.env.ONLY)
  const names = rows.map(({ name }) => name)
  const setting = await currentSetting()
  print(headerOf(setting))
  await using kubernetes = new SharedKubernetes()
  const outcomes: Outcome[] = []
  for (const row of rows) {
    const outcome = await outcomeOf(row, kubernetes)
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

async function outcomeOf(row: Row, kubernetes: SharedKubernetes): Promise<Outcome> {
  const { name, budget, unit, better } = row
  const figure = { name, budget, unit, better }
  try {
    const measured =
      row.needs === 'real-kubernetes'
        ? await row.measure(await kubernetes.get())
        : await row.measure()
    return { ...figure, ...measured }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { ...figure, whyNot: why.trim().replaceAll(/\s*\n\s*/g, '; ') }
  }
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
