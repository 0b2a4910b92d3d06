import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { errorText } from '#machineconfig/validate/error-list.ts'
import { validateLegacy } from '#machineconfig/validate/legacy/validate-legacy.ts'
import { realPrograms } from '#test/conformance/programs/build.ts'
import type { LegacyCase } from './validate-legacy-case.ts'
import { clusterCases } from './validate-legacy-cluster.cases.ts'
import { machineCases } from './validate-legacy-machine.cases.ts'
import { networkCases } from './validate-legacy-network.cases.ts'

const run = promisify(execFile)

const legacyCases = [...machineCases, ...clusterCases, ...networkCases]

const RUNS = [
  { mode: 'metal', strict: false },
  { mode: 'container', strict: false },
  { mode: 'cloud', strict: true },
] as const

let folder: string
let talosctl: string
const generated = new Map<string, object>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talos-operator-validate-'))
  ;({ talosctl } = await realPrograms(['talosctl']))
  const options = ['--with-docs=false', '--with-examples=false', '--output', folder]
  await run(talosctl, ['gen', 'config', 'test', 'https://10.0.0.1:6443', ...options])
  for (const role of ['controlplane', 'worker']) {
    const text = await readFile(join(folder, `${role}.yaml`), 'utf8')
    const [legacy] = parseAllDocuments(text)
    generated.set(role, legacy?.toJS() as object) // the first document is an object
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The text of a configuration. JSON is YAML. */
function textOf([, role, changes]: LegacyCase): string {
  const config: unknown = structuredClone(generated.get(role))
  for (const [path, value] of Object.entries(changes)) {
    let place = config as Record<string, unknown> // paths lead through objects
    const keys = path.split('.')
    const last = keys.pop() ?? ''
    for (const key of keys) {
      place[key] ??= {}
      place = place[key] as Record<string, unknown> // paths lead through objects
    }
    place[last] = value
  }
  return JSON.stringify(config)
}

/** What the real talosctl prints, and whether it is content. */
async function realVerdict(file: string, { mode, strict }: (typeof RUNS)[number]) {
  const flags = ['-m', mode, ...(strict ? ['--strict'] : [])]
  try {
    const { stderr } = await run(talosctl, ['validate', ...flags, '-c', file])
    return { valid: true, text: stderr.trimEnd() }
  } catch (error) {
    const { stderr } = error as { stderr: string } // a program that ended with an error code
    // talosctl takes every message with the word "flag" in it for a wrong command line.
    const [text = ''] = stderr.split('\nUsage:\n')
    return { valid: false, text: text.trimEnd() }
  }
}

function ownVerdict(text: string, { mode, strict }: (typeof RUNS)[number]) {
  const document = readConfig(text).legacy
  if (!document) throw new Error('there is no legacy document')
  const { warnings, errors } = validateLegacy(document, {
    ...{ mode, strict, installed: false, minor: 13 },
  })
  const nested = errors.length > 0 ? [errorText([`v1alpha1.Config: ${errorText(errors)}`])] : []
  const lines = [...warnings.map((warning) => `WARNING: ${warning}`), ...nested]
  return { valid: errors.length === 0, text: lines.join('\n').trimEnd() }
}

describe('the legacy document is judged as by talosctl', () => {
  test.for(legacyCases.map((entry, index) => ({ title: entry[0], entry, index })))(
    '$index: $title',
    async ({ entry, index }) => {
      const text = textOf(entry)
      const file = join(folder, `${index}.yaml`)
      await writeFile(file, text)
      const real = await Promise.all(RUNS.map((way) => realVerdict(file, way)))
      expect(RUNS.map((way) => ownVerdict(text, way))).toEqual(real)
    },
  )

  test('a private key of the wrong length is not shown, though talosctl does', async () => {
    const wireguard = { privateKey: 'QUFB' }
    const interfaces = [{ interface: 'wg0', wireguard }]
    const text = textOf(['', 'controlplane', { 'machine.network.interfaces': interfaces }])
    const file = join(folder, 'wireguard.yaml')
    await writeFile(file, text)
    const [metal] = RUNS
    const real = await realVerdict(file, metal)
    expect(real.text).toContain('wrong key "QUFB" length: 3')
    expect(ownVerdict(text, metal).text).toBe(real.text.replace('"QUFB"', '"******"'))
  })
})
