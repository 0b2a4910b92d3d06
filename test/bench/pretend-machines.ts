import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startChild } from '#test/conformance/kubernetes/child.ts'
import { heldTogether } from './held-together.ts'
import { BUNDLE } from './operator-process.ts'
import { LEAN_NODE } from './subject.ts'
import { temporaryFolder } from './temporary-folder.ts'

const LISTENING_WITHIN_MS = 120_000
const LOOK_EVERY_MS = 200

/** What the machines boot. */
export const PRETEND_TALOS = 'v1.13.0'

interface PretendFleet {
  addressBase: string
  machines: number
  faults?: readonly string[]
}

/** Starts machines by `talos-operator simulate`, at full speed; resolves when all can be configured. */
export const startPretendMachines = ({
  addressBase,
  machines,
  faults = [],
}: PretendFleet): Promise<AsyncDisposable> =>
  heldTogether(async (hold) => {
    const folder = hold(await temporaryFolder())
    const log = join(folder.path, 'log')
    const child = hold(
      startChild(
        LEAN_NODE,
        [
          ...[BUNDLE, 'simulate', '--machines', String(machines), '--speed', 'max'],
          ...['--talos', PRETEND_TALOS, '--address-base', addressBase],
          ...faults.flatMap((fault) => ['--fault', fault]),
        ],
        { log, folder: folder.path },
      ),
    )
    const giveUpAt = performance.now() + LISTENING_WITHIN_MS
    while ((await countOf(log)) < machines) {
      if (!child.isRunning() || performance.now() > giveUpAt) {
        throw new Error(`the pretend machines did not start:\n${await child.lastOutput()}`)
      }
      await delay(LOOK_EVERY_MS)
    }
    return {}
  })

/** Where there is no terminal, each state of a machine is a line. */
const countOf = async (log: string): Promise<number> =>
  (await readFile(log, 'utf8')).split('\n').filter((line) => line.includes(' maintenance ')).length
