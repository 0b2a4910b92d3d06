import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { checkDocuments } from '#machineconfig/check-documents.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { errorText } from '#machineconfig/validate/error-list.ts'
import { validateConfig } from '#machineconfig/validate/validate.ts'
import { realPrograms } from '#test/conformance/programs/build.ts'
import type { CombinedCase, DocumentFields } from './validate-documents-case.ts'
import { combinedCases } from './validate-documents-combined.cases.ts'
import {
  differentlyWordedExpressions,
  expressionCases,
} from './validate-documents-expressions.cases.ts'
import { networkCases } from './validate-documents-network.cases.ts'
import { runtimeCases } from './validate-documents-runtime.cases.ts'
import { volumeCases } from './validate-documents-volumes.cases.ts'

const run = promisify(execFile)

const singleCases = Object.entries({ ...volumeCases, ...networkCases, ...runtimeCases }).flatMap(
  ([kind, list]) =>
    list.map(
      (fields): CombinedCase => ({
        name: `${kind} ${JSON.stringify(fields)}`,
        documents: [[kind, fields]],
      }),
    ),
)

let folder: string
let talosctl: string
let generated: Record<string, unknown>
const stands = new Map<string, string>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talos-operator-documents-'))
  ;({ talosctl } = await realPrograms(['talosctl']))
  const options = ['--with-docs=false', '--with-examples=false', '--output', folder]
  await run(talosctl, ['gen', 'config', 'test', 'https://10.0.0.1:6443', ...options])
  const text = await readFile(join(folder, 'controlplane.yaml'), 'utf8')
  const [legacy] = parseAllDocuments(text)
  generated = legacy?.toJS() as Record<string, unknown> // the first document is an object
  const pem = (path: string): string => {
    const value = legacy?.getIn(path.split('.'))
    return Buffer.from(String(value), 'base64').toString()
  }
  stands.set('$certificate', pem('machine.ca.crt')).set('$ed25519Key', pem('machine.ca.key'))
  stands.set('$ecKey', pem('cluster.ca.key')).set('$rsaKey', pem('cluster.serviceAccount.key'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The text of a configuration. JSON is YAML. */
function textOf({ documents, legacy = {} }: CombinedCase): string {
  const config = structuredClone(generated)
  for (const [path, value] of Object.entries(legacy)) setPath(config, path.split('.'), value)
  const written = documents.map(([kind, fields]) => ({
    apiVersion: 'v1alpha1',
    kind,
    ...withRealKeys(fields),
  }))
  return [config, ...written].map((document) => `${JSON.stringify(document)}\n`).join('---\n')
}

function setPath(config: Record<string, unknown>, keys: string[], value: unknown): void {
  const last = keys.pop() ?? ''
  let place = config
  for (const key of keys) {
    place[key] ??= {}
    place = place[key] as Record<string, unknown> // paths lead through objects
  }
  place[last] = value
}

const withRealKeys = (fields: DocumentFields): DocumentFields =>
  JSON.parse(JSON.stringify(fields), (_key, value: unknown) =>
    typeof value === 'string'
      ? value.replace(/\$\w+Key|\$certificate/, (name) => stands.get(name) ?? name)
      : value,
  )

/** What the real talosctl prints, and whether it is content. */
async function realVerdict(file: string, flags: readonly string[]) {
  try {
    const { stderr } = await run(talosctl, ['validate', ...flags, '-c', file])
    return { valid: true, text: stderr.trimEnd() }
  } catch (error) {
    const { stderr } = error as { stderr: string } // a program that ended with an error code
    return { valid: false, text: (stderr.split('\nUsage:\n')[0] ?? '').trimEnd() }
  }
}

function ownVerdict(text: string, options: Parameters<typeof validateConfig>[1]) {
  try {
    const config = readConfig(text)
    checkDocuments(config.documents)
    const { warnings, errors } = validateConfig(config, options)
    const told = errors.length > 0 ? [errorText(errors)] : []
    const lines = [...warnings.map((warning) => `WARNING: ${warning}`), ...told]
    return { valid: errors.length === 0, text: lines.join('\n').trimEnd() }
  } catch (error) {
    if (error instanceof ConfigError) return { valid: false, text: error.message.trimEnd() }
    throw error
  }
}

let files = 0

async function compare(one: CombinedCase, strict: boolean): Promise<void> {
  files += 1
  const file = join(folder, `${files}.yaml`)
  const text = textOf(one)
  await writeFile(file, text)
  const real = await realVerdict(file, ['-m', 'metal', ...(strict ? ['--strict'] : [])])

  expect(ownVerdict(text, { mode: 'metal', strict })).toEqual(real)
}

describe('says of one document what talosctl says', () => {
  test.concurrent.each(singleCases)('$name', (one) => compare(one, false))
})

test('says of CEL expressions what talosctl says', async () => {
  const documents = expressionCases.map(
    (match, i) =>
      [
        'UserVolumeConfig',
        { name: `e${i}`, provisioning: { diskSelector: { match }, minSize: '1GB' } },
      ] as const,
  )

  await compare({ name: 'expressions', documents }, false)
})

test('refuses the CEL expressions that talosctl refuses in other words', async () => {
  const documents = differentlyWordedExpressions.map(
    (match) => ['LinkAliasConfig', { name: 'a', selector: { match } }] as const,
  )

  for (const document of documents) {
    const text = textOf({ name: 'expression', documents: [document] })
    const file = join(folder, 'expression.yaml')
    await writeFile(file, text)
    const real = await realVerdict(file, ['-m', 'metal'])
    expect([real.valid, ownVerdict(text, { mode: 'metal' }).valid]).toEqual([false, false])
  }
})

describe('says of several documents what talosctl says', () => {
  test.concurrent.each(combinedCases)('$name', (one) => compare(one, false))
  test.concurrent.each(combinedCases)('$name, strictly', (one) => compare(one, true))
})
