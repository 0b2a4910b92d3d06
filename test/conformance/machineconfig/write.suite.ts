import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { writtenCases } from '#machineconfig/write/cases/written.cases.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import { realPrograms } from '#test/conformance/programs/build.ts'

const CONTRACTS = ['v1.5', 'v1.6', 'v1.7', 'v1.8', 'v1.9', 'v1.10', 'v1.11', 'v1.12', 'v1.13']
const PLAIN = ['--with-docs=false', '--with-examples=false']
// A document that no case has: talosctl decodes and encodes the whole file and puts it at the end.
const ADDED = 'apiVersion: v1alpha1\nkind: KmsgLogConfig\nname: added\nurl: udp://10.0.0.1:1234\n'

let folder: string
let talosctl: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talos-operator-write-'))
  const programs = await realPrograms(['talosctl'])
  talosctl = programs.talosctl
  await run(['gen', 'secrets', '-o', join(folder, 'secrets.yaml')])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = async (args: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(talosctl, args, { maxBuffer: 10_000_000 })
  return stdout
}

async function rewrittenByTalosctl(text: string, name: string): Promise<string> {
  const file = join(folder, `${name}.yaml`)
  await writeFile(file, text)
  const written = await run(['machineconfig', 'patch', file, '--patch', ADDED])
  expect(written.endsWith(`---\n${ADDED}\n`)).toBe(true)
  return written.slice(0, -`---\n${ADDED}\n`.length)
}

describe('a file that is read and written is what talosctl makes of it, byte by byte', () => {
  test.each(writtenCases.map((one, at) => ({ ...one, at })))('$text', async ({ text, at }) => {
    const written = await rewrittenByTalosctl(text, `case-${at}`)

    expect(writeConfig(readConfig(text))).toBe(written)
  })
})

describe.each(CONTRACTS)('the configurations of %s', (contract) => {
  test('are read and written again as they were', async () => {
    const out = join(folder, contract)
    const secrets = ['--with-secrets', join(folder, 'secrets.yaml')]
    const name = ['gen', 'config', 'demo', 'https://10.0.0.1:6443']
    await run([...name, ...secrets, ...PLAIN, '--talos-version', contract, '-o', out])

    for (const role of ['controlplane', 'worker']) {
      const text = await readFile(join(out, `${role}.yaml`), 'utf8')
      expect(writeConfig(readConfig(text, { talosVersion: contract }))).toBe(text)
    }
  })

  test('are the same when talosctl writes comments along', async () => {
    const out = join(folder, `${contract}-commented`)
    const secrets = ['--with-secrets', join(folder, 'secrets.yaml')]
    await run([
      'gen',
      'config',
      'demo',
      'https://10.0.0.1:6443',
      ...secrets,
      '--talos-version',
      contract,
      '-o',
      out,
    ])

    const text = await readFile(join(out, 'controlplane.yaml'), 'utf8')
    expect(writeConfig(readConfig(text))).toBe(await rewrittenByTalosctl(text, contract))
  })
})
