import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeTalosconfig } from '#machineconfig/secrets/talosconfig-file.ts'
import { type OurFleet, ourFleet } from '#test/our-client/our-fleet.ts'
import { until } from '#test/until.ts'

const EXAMPLES = 'examples/talos-client'
const TALOS_PORT = 50_000
// Each is a process that compiles what it imports.
const LONG = 120_000

// The programs of the examples, as a user runs them, on machines of the simulator.
describe('the example', { timeout: LONG }, () => {
  let our: OurFleet
  let folder: string
  let talosconfig: string

  beforeAll(async () => {
    const version = 'v1.13.0'
    const names = { cp1: version, cp2: version, waiting: version }
    our = await ourFleet('127.67.1', names, TALOS_PORT)
    await our.bringUp(['cp1', 'cp2'], [])
    folder = await mkdtemp(join(tmpdir(), 'talos-operator-examples-'))
    talosconfig = join(folder, 'talosconfig')
    await writeFile(talosconfig, talosconfigOf(our))
  }, LONG)
  afterAll(async () => {
    await our?.[Symbol.asyncDispose]()
    if (folder) await rm(folder, { recursive: true })
  })

  test('look-at-machine tells the version of a machine and its services', async () => {
    const { exitCode, stdout } = await started('look-at-machine', talosconfig, our.address('cp1'))
      .end

    expect(stdout).toContain(
      `${our.address('cp1')} runs Talos v1.13.0 (metal, amd64) and is running`,
    )
    expect(stdout).toMatch(/^ {2}etcd +Running$/m)
    expect(exitCode).toBe(0)
  })

  test('look-at-machine says in one word what became of it where it is not of the cluster', async () => {
    const { end } = started('look-at-machine', talosconfig, our.address('waiting'))

    expect(await end).toMatchObject({
      ...{ exitCode: 1, stdout: '', stderr: expect.stringMatching(/^wrong-identity: /) },
    })
  })

  test('wait-for-machine waits for one that comes, and tells what it is made of', async () => {
    const address = our.address('waiting')
    const back = our.fault('unreachable', 'waiting')
    const { output, end } = started('wait-for-machine', address)
    await until(
      'it to wait',
      async () => output(),
      (seen) => seen.includes('is not there yet'),
    )
    back()

    const { exitCode, stdout } = await end
    expect(stdout).toMatch(new RegExp(`^${address} waits for a configuration: [0-9a-f-]{36}$`, 'm'))
    expect(stdout).toMatch(/^ {2}\/dev\/\w+ +\d+ bytes /m)
    expect(exitCode).toBe(0)
  })

  test('wait-for-machine asks nothing of one that has another key, and takes the one that has the key', async () => {
    const address = our.address('waiting')

    const wrong = await started('wait-for-machine', address, 'AAAA').end
    const key = /has the key (\S+),/.exec(wrong.stderr)?.[1] ?? ''
    expect(wrong).toMatchObject({ exitCode: 1, stdout: '' })
    expect(wrong.stderr).toMatch(/^wrong-identity: /)
    expect(await started('wait-for-machine', address, key).end).toMatchObject({ exitCode: 0 })
  })

  test('follow-etcd tells the members, again when one has left, and ends when it is told to', async () => {
    const addresses = [our.address('waiting'), our.address('cp1'), our.address('cp2')]
    const { output, end, interrupt } = started('follow-etcd', talosconfig, ...addresses)
    const lines = async () => output().split('\n').filter(Boolean)
    const names = async () => (await lines()).map((line) => line.split('  ')[1]?.split(', ').length)
    await until('both members', names, (seen) => seen.join() === '2')

    await our.machine('cp2').etcd.leave()
    await until('one to leave', names, (seen) => seen.join() === '2,1')

    interrupt()
    expect(await end).toMatchObject({ exitCode: 0, stderr: '' })
  })
})

function talosconfigOf(our: OurFleet): string {
  const { access } = our.target('cp1')
  if (access.kind !== 'cluster') throw new Error('it is of no cluster')
  const { authority: ca, certificate, key } = access
  const context = { ca, certificate, key, endpoints: [our.address('cp1')], nodes: [] }
  return writeTalosconfig({ context: 'one', contexts: new Map([['one', context]]) }).open()
}

/** A program of the examples that runs. */
function started(name: string, ...args: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', `${EXAMPLES}/${name}.ts`, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []]
  child.stdout.on('data', (bytes) => stdout.push(bytes))
  child.stderr.on('data', (bytes) => stderr.push(bytes))
  const output = () => Buffer.concat(stdout).toString()
  return {
    output,
    interrupt: () => child.kill('SIGINT'),
    end: once(child, 'close').then(([exitCode]) => ({
      ...{ exitCode, stdout: output(), stderr: Buffer.concat(stderr).toString() },
    })),
  }
}
