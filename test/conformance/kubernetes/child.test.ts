import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startChild } from './child.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talos-operator-child-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Prints its process id and then runs for longer than any test. */
const LONG_RUNNING = ['-c', 'echo $$; exec sleep 1000']

test('a child is running until it is disposed of, and its output is kept', async () => {
  const child = startChild('/bin/sh', LONG_RUNNING, join(folder, 'kept.log'))
  const pid = await printedPid('kept.log')

  expect(child.isRunning()).toBe(true)
  await child[Symbol.asyncDispose]()

  expect(child.isRunning()).toBe(false)
  expect(isAlive(pid)).toBe(false)
  expect(await child.lastOutput()).toContain(String(pid))
})

test('a child that ends by itself is noticed', async () => {
  const child = startChild('/bin/sh', ['-c', 'exit 3'], join(folder, 'short.log'))

  await child.exited

  expect(child.isRunning()).toBe(false)
  await child[Symbol.asyncDispose]()
})

test('a child does not outlive a test process that is killed', async () => {
  const script = `
    import { startChild } from ${JSON.stringify(join(import.meta.dirname, 'child.ts'))}
    startChild('/bin/sh', ${JSON.stringify(LONG_RUNNING)}, ${JSON.stringify(join(folder, 'orphan.log'))})
    setInterval(() => {}, 1000)
  `
  const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script])
  const pid = await printedPid('orphan.log')

  parent.kill('SIGKILL')
  await once(parent, 'exit')

  await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
})

async function printedPid(log: string): Promise<number> {
  const read = () => readFile(join(folder, log), 'utf8').catch(() => '')
  await expect.poll(read, { timeout: 20_000 }).toMatch(/^\d+\n/)
  return Number(await read())
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
