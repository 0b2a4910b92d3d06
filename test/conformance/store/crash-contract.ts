import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundled } from './bundled.ts'
import { CrashRecord } from './crash-record.ts'

/** When a writer is killed: after so many lines, and so many turns of the event loop after that. */
interface Moment {
  lines: number
  turns: number
}

/** From before it has opened the store to a thousand lines later; often early. */
const someMoment = (): Moment => ({
  lines: randomInt(10) === 0 ? 0 : Math.floor(10 ** (randomInt(1, 3_200) / 1_000)),
  turns: randomInt(40),
})

/** What a store on a disk promises whose process is killed so many times. */
export const crashContract = (rounds: number) =>
  describe('a store on a disk', () => {
    let folder = ''
    let program = ''

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'crash-'))
      program = await bundled('crash-writer', folder)
    })
    afterAll(() => rm(folder, { recursive: true, force: true }))

    test(`a writer that is killed ${rounds} times loses nothing that was acknowledged and leaves nothing half done`, async () => {
      const record = new CrashRecord()
      const writer = (seed: number) => [program, join(folder, 'store'), String(seed)]
      for (let round = 0; round < rounds; round++) {
        const moment = someMoment()
        const seed = randomInt(1, 2 ** 31)
        try {
          await writeUntilKilled(writer(seed), moment, record)
        } catch (error) {
          throw new Error(`in round ${round}, ${JSON.stringify({ moment, seed })}`, {
            cause: error,
          })
        }
      }
      await writeUntilKilled(writer(1), { lines: 1, turns: 0 }, record)
      expect(record.count).toBeGreaterThan(rounds)
    }, 300_000)
  })

async function writeUntilKilled(
  args: string[],
  moment: Moment,
  record: CrashRecord,
): Promise<void> {
  const writer = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const kill = async () => {
    for (let turn = 0; turn < moment.turns; turn++) await setImmediate()
    writer.kill('SIGKILL')
  }
  const closed = once(writer, 'close')
  let lines = 0
  let killed = moment.lines === 0 ? once(writer, 'spawn').then(kill) : undefined
  try {
    for await (const line of createInterface({ input: writer.stdout })) {
      record.read(line)
      if (++lines >= moment.lines) killed ??= kill()
    }
    await killed
  } finally {
    writer.kill('SIGKILL')
  }
  const [code, signal] = await closed
  expect({ code, signal }, 'a writer ends because it is killed').toEqual({
    code: null,
    signal: 'SIGKILL',
  })
}
