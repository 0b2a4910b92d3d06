import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
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
  const child = startChild('/bin/sh', LONG_RUNNING, { log: join(folder, 'kept.log') })
  const pid = await printedPid('kept.log')

  expect(child.isRunning()).toBe(true)
  await child[Symbol.asyncDispose]()

  expect(child.isRunning()).toBe(false)
  expect(isAlive(pid)).toBe(false)
  expect(await child.lastOutput()).toContain(String(pid))
})

test('a child that ends by itself is noticed', async () => {
  const child = startChild('/bin/sh', ['-c', 'exit 3'], { log: join(folder, 'short.log') })

  await child.exited

  expect(child.isRunning()).toBe(false)
  await child[Symbol.asyncDispose]()
})

test('disposing of a child that has ended, or twice, does no harm', async () => {
  const child = startChild('/bin/sh', ['-c', 'exit 3'], { log: join(folder, 'twice.log') })
  await child.exited

  await child[Symbol.asyncDispose]()
  await child[Symbol.asyncDispose]()

  expect(child.isRunning()).toBe(false)
})

test('a child that is disposed of leaves its folder to whoever made it', async () => {
  const own = join(folder, 'disposed')
  await mkdir(own)
  const log = join(own, 'disposed.log')
  const child = startChild('/bin/sh', LONG_RUNNING, { log, folder: own })
  await printedPid('disposed/disposed.log')

  await child[Symbol.asyncDispose]()

  await access(log)
})

test('neither a child nor its folder outlives a test process that is killed', async () => {
  const own = join(folder, 'orphan')
  await mkdir(own)
  const files = { log: join(own, 'orphan.log'), folder: own }
  const script = `
    import { startChild } from ${JSON.stringify(join(import.meta.dirname, 'child.ts'))}
    startChild('/bin/sh', ${JSON.stringify(LONG_RUNNING)}, ${JSON.stringify(files)})
    setInterval(() => {}, 1000)
  `
  const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script])
  const pid = await printedPid('orphan/orphan.log')

  parent.kill('SIGKILL')
  await once(parent, 'exit')

  const soon = { timeout: 60_000 }
  await expect.poll(() => isAlive(pid), soon).toBe(false)
  await expect.poll(() => readdir(folder), soon).not.toContain('orphan')
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
