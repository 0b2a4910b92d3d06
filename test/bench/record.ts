import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import type { Outcome } from './row.ts'
import { verdictOf } from './table.ts'

/** Where and when the figures were measured. */
export interface Setting {
  date: string
  node: string
  cpus: number
  /** How busy the machine was before the first row: figures of a busy one are worth less. */
  loadBefore: number
  /** The commit, with `+` if there is more in the tree than that. Undefined: no git to ask. */
  commit: string | undefined
}

export const currentSetting = async (): Promise<Setting> => ({
  date: new Date().toISOString(),
  node: process.version,
  cpus: availableParallelism(),
  loadBefore: loadavg()[0] ?? 0,
  commit: await currentCommit().catch(() => undefined),
})

async function currentCommit(): Promise<string> {
  const git = async (...args: string[]) => (await promisify(execFile)('git', args)).stdout.trim()
  const isClean = (await git('status', '--porcelain')) === ''
  return `${await git('rev-parse', '--short=12', 'HEAD')}${isClean ? '' : '+'}`
}

/** Writes what was measured as JSON, in place of what was there. */
export async function writeRecord(
  file: string,
  setting: Setting,
  outcomes: readonly Outcome[],
): Promise<void> {
  const figures = outcomes.map((outcome) => ({
    ...outcome,
    verdict: 'value' in outcome ? verdictOf(outcome.value, outcome) : 'not measured',
  }))
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify({ ...setting, figures }, null, 2)}\n`)
}
