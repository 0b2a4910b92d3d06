import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { bundled } from './bundled.ts'

const CONTENDERS = 3
const ROUNDS = 150
const KILL_EVERY = 15

interface Contender {
  process: ChildProcess
  tell(line: string): Promise<string>
  kill(): Promise<void>
}

function start(program: string, directory: string): Contender {
  const child = spawn(process.execPath, [program, directory], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    process: child,
    tell: async (line) => {
      child.stdin.write(`${line}\n`)
      return String((await lines.next()).value)
    },
    kill: async () => {
      const closed = once(child, 'close')
      child.kill('SIGKILL')
      await closed
    },
  }
}

test('of three that want a directory at once exactly one gets it, and the others say who', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lock-race-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const program = await bundled('lock-contender', folder)
  const directory = join(folder, 'contested')
  await mkdir(directory)
  const contenders = Array.from({ length: CONTENDERS }, () => start(program, directory))
  onTestFinished(async () => {
    for (const one of contenders) await one.kill()
  })

  for (let round = 1; round <= ROUNDS; round++) {
    const answers = await Promise.all(contenders.map((one) => one.tell('take')))
    const winners = contenders.filter((_, index) => answers[index] === 'won')
    expect(winners, `round ${round}: ${answers.join('\n')}`).toHaveLength(1)
    const [winner] = winners
    const holder = `is in use by process ${winner?.process.pid} on `
    for (const answer of answers) if (answer !== 'won') expect(answer).toContain(holder)

    if (round % KILL_EVERY === 0 && winner) {
      await winner.kill()
      contenders[contenders.indexOf(winner)] = start(program, directory)
    } else expect(await winner?.tell('let go')).toBe('gone')
  }

  // Nothing of those rounds is left but the newest lock, and the note of who was killed last.
  const last = `lock.${ROUNDS}.sock`
  expect((await readdir(directory)).sort()).toEqual(['lock', last].sort())
}, 60_000)
