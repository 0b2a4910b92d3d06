import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseYaml } from '#base/yaml.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { readBundle, writeBundle } from '#machineconfig/secrets/bundle-file.ts'
import { bundleFromConfig } from '#machineconfig/secrets/bundle-from-config.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { kubeconfigFor } from '#machineconfig/secrets/kubeconfig.ts'
import { talosconfigFor } from '#machineconfig/secrets/talosconfig.ts'
import { readTalosconfig, writeTalosconfig } from '#machineconfig/secrets/talosconfig-file.ts'
import { realPrograms } from '#test/conformance/programs/build.ts'

const CONTRACTS = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14].map((minor) => `v1.${minor}`)
// What the talosctl at hand knows.
const KNOWN = CONTRACTS.slice(0, -1)
const SLOW = { timeout: 120_000 }

let folder: string
let programs: Record<'talosctl' | 'kubectl', string>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talos-operator-secrets-'))
  programs = await realPrograms(['talosctl', 'kubectl'])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = async (program: keyof typeof programs, ...args: string[]): Promise<string> => {
  const env = { PATH: process.env.PATH, HOME: folder }
  return (await promisify(execFile)(programs[program], args, { cwd: folder, env })).stdout
}

const talosctl = (...args: string[]) => run('talosctl', ...args)

const written = async (name: string, text: string): Promise<string> => {
  await writeFile(join(folder, name), text)
  return name
}
const file = (name: string) => readFile(join(folder, name), 'utf8')

const bundles = new Map<string, Promise<SecretsBundle>>()
const ourBundle = (talosVersion: string): Promise<SecretsBundle> => {
  const made = bundles.get(talosVersion) ?? generateBundle({ talosVersion, now: new Date() })
  bundles.set(talosVersion, made)
  return made
}

/** The folder with the configurations that talosctl makes of a bundle. */
async function configsOf(secrets: string, talosVersion: string): Promise<string> {
  const output = `${secrets}-${talosVersion}`
  await talosctl(
    ...['gen', 'config', 'prod', 'https://10.0.0.1:6443', '--with-secrets', secrets],
    ...['--talos-version', talosVersion, '--output', output, '--force'],
  )
  return output
}

describe.each(KNOWN)('talosctl with a bundle of ours for %s', (talosVersion) => {
  test('makes configurations of it', SLOW, async () => {
    const bundle = await ourBundle(talosVersion)
    const path = await written(`ours-${talosVersion}.yaml`, writeBundle(bundle).open())

    const output = await configsOf(path, talosVersion)
    const controlPlane = await file(`${output}/controlplane.yaml`)
    expect(writeBundle(bundleFromConfig(readConfig(controlPlane))).open()).toBe(await file(path))
    const mode = ['-m', 'metal', '--strict', '-c']
    await talosctl('validate', ...mode, `${output}/controlplane.yaml`)
    await talosctl('validate', ...mode, `${output}/worker.yaml`)
  })

  test('gets it back from a control plane machine', SLOW, async () => {
    const bundle = await ourBundle(talosVersion)
    const path = await written(`back-${talosVersion}.yaml`, writeBundle(bundle).open())
    const output = await configsOf(path, talosVersion)

    const from = ['--from-controlplane-config', `${output}/controlplane.yaml`]
    expect(await talosctl('gen', 'secrets', ...from, '-o', '-')).toBe(await file(path))
  })
})

test('a bundle for v1.14 is taken by talosctl', SLOW, async () => {
  const bundle = await ourBundle('v1.14')
  await configsOf(await written('newest.yaml', writeBundle(bundle).open()), 'v1.13')
})

test.each(['v1.2', ...KNOWN])(
  'a bundle by talosctl for %s is written as it was',
  SLOW,
  async (talosVersion) => {
    const theirs = await talosctl('gen', 'secrets', '--talos-version', talosVersion, '-o', '-')
    expect(writeBundle(readBundle(theirs)).open()).toBe(theirs)
  },
)

test('texts that look like something else are quoted as talosctl does', SLOW, async () => {
  const bundle = writeBundle(await ourBundle('v1.6')).open()
  const numbers = [
    '123456.1234567890123456',
    '1e2345.67',
    '0x1f',
    '0b1',
    '0o7',
    '1_0.0',
    '123',
    '-1',
  ]
  const words = [
    'true',
    'null',
    'y',
    'Off',
    '~',
    '=',
    '<<',
    '.inf',
    '2026-11-16',
    '1:30',
    '-_a',
    '-',
  ]
  const signs = [
    'a: b',
    '- a',
    "it's",
    '#a',
    'a #b',
    '@a',
    '%a',
    '*a',
    '"a"',
    ' a',
    'a ',
    '{a',
    'ä',
    'a,b',
  ]
  for (const id of [...numbers, ...words, ...signs]) {
    const quoted = bundle.replace(/ id: .*/, ` id: ${JSON.stringify(id)}`)
    const output = await configsOf(await written('quoted.yaml', quoted), 'v1.6')
    const from = ['--from-controlplane-config', `${output}/controlplane.yaml`]
    const theirs = await talosctl('gen', 'secrets', ...from, '-o', '-')
    expect(writeBundle(readBundle(quoted)).open()).toBe(theirs)
  }
})

describe('a bundle that talosctl refuses is refused with the same words', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const cases: [string, (text: string) => string][] = [
    ['nothing', () => ''],
    ['an empty one', () => '{}'],
    ['empty parts', () => '{cluster: {}, secrets: {}, trustdinfo: {}, certs: {}}'],
    ['no id', (text) => text.replace(/id: .*/, 'id: ""')],
    ['no token', (text) => text.replace(/ token: .*/, ' token: ""')],
    ['no trustd', (text) => text.replace(/trustdinfo:\n.*\n/, '')],
    ['no encryption', (text) => text.replace(/ {4}secretbox.*\n/, '')],
    [
      'two ways',
      (text) => text.replace('trustdinfo:', '    aescbcencryptionsecret: x\ntrustdinfo:'),
    ],
    ['no etcd', (text) => text.replace(/ {4}etcd:\n.*\n.*\n/, '')],
    ['no account key', (text) => text.replace(/ {4}k8sserviceaccount:\n.*\n/, '')],
    ['an empty account key', (text) => text.replace(/(k8sserviceaccount:\n.*key: ).*/, '$1""')],
    ['keys that are none', (text) => text.replaceAll(/key: .*/g, `key: ${base64('x')}`)],
    ['keys of another kind', (text) => text.replaceAll(/key: .*/g, `key: ${base64(CSR)}`)],
    ['certificates that are none', (text) => text.replaceAll(/crt: .*/g, 'crt: AAAA')],
    ['rubbish in a certificate', (text) => text.replaceAll(/crt: .*/g, `crt: ${base64(RUBBISH)}`)],
    ['a list', () => '[1]'],
    ['a list for a text', () => 'cluster:\n    secret: [1]\n'],
    ['a key twice', () => 'cluster: {id: 1, id: 2}\n'],
    ['no base64', () => 'certs:\n    etcd: {crt: "!!", key: ""}\n'],
    ['a map for a text', () => 'secrets:\n    bootstraptoken: {a: b}\n'],
  ]
  const CSR = '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n'
  const RUBBISH = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'

  test.each(cases)('%s', SLOW, async (_, spoil) => {
    const spoilt = spoil(writeBundle(await ourBundle('v1.6')).open())
    const path = await written('spoilt.yaml', spoilt)
    const theirs = await configsOf(path, 'v1.6').then(
      () => 'taken',
      ({ stderr }) => String(stderr).trim(),
    )
    const ours = (() => {
      try {
        readBundle(spoilt)
        return 'taken'
      } catch (error) {
        return String((error as Error).message).trim() // a ConfigError, compared by its words
      }
    })()
    expect(ours).toBe(theirs)
    expect(ours).not.toBe('taken')
  })
})

test('a talosconfig of ours is read by talosctl', SLOW, async () => {
  const { talos: ca } = await ourBundle('v1.6')
  const endpoints = ['10.0.0.1', '10.0.0.2']
  const config = await talosconfigFor({ clusterName: 'prod', endpoints, ca, now: new Date() })
  const text = writeTalosconfig(config).open()
  const flags = ['--talosconfig', await written('talosconfig', text)]

  const seen = parseYaml(await talosctl('config', 'info', '-o', 'yaml', ...flags))
  expect(seen).toMatchObject({ context: 'prod', endpoints, roles: ['os:admin'] })
  expect(await talosctl('config', 'contexts', ...flags)).toMatch(
    /\*\s+prod\s+10\.0\.0\.1,10\.0\.0\.2/,
  )
  // Which writes the file anew.
  await talosctl('config', 'node', '10.0.0.9', ...flags)
  const rewritten = await file('talosconfig')
  expect(rewritten).toBe(
    text.replace('        ca:', '        nodes:\n            - 10.0.0.9\n        ca:'),
  )
  expect(writeTalosconfig(readTalosconfig(rewritten)).open()).toBe(rewritten)
})

test('contexts are sorted and quoted as talosctl does', SLOW, async () => {
  const names = [
    'b',
    '10',
    '9',
    'a-10',
    'a-9',
    'a',
    '_',
    'true',
    'on',
    '1.5',
    'A',
    'ä',
    '0x1f',
    'a b',
  ]
  const contexts = new Map(names.map((name) => [name, { endpoints: [], nodes: [] }]))
  const text = writeTalosconfig({ context: 'b', contexts }).open()
  const flags = ['--talosconfig', await written('sorted', text)]

  await talosctl('config', 'context', 'b', ...flags)
  expect(await file('sorted')).toBe(text)
})

test(
  'a talosconfig by talosctl is written as it was, and its client has the same profile',
  SLOW,
  async () => {
    const bundle = await ourBundle('v1.6')
    const output = await configsOf(
      await written('profile.yaml', writeBundle(bundle).open()),
      'v1.13',
    )
    const theirs = await file(`${output}/talosconfig`)
    expect(writeTalosconfig(readTalosconfig(theirs)).open()).toBe(theirs)

    const own = await talosconfigFor({
      ...{ clusterName: 'prod', endpoints: [], ca: bundle.talos, now: new Date() },
    })
    const profiles = [theirs, writeTalosconfig(own).open()].map(async (text, at) => {
      const { certificate = '' } = readTalosconfig(text).contexts.get('prod') ?? {}
      const path = await written(`client-${at}.crt`, certificate)
      return profileOf(path)
    })
    const [expected, found] = await Promise.all(profiles)
    expect(found).toBe(expected)
  },
)

/** What openssl tells of a certificate, without what differs from one to the next. */
async function profileOf(path: string): Promise<string> {
  const args = ['x509', '-in', path, '-noout', '-text', '-nameopt', 'RFC2253']
  const { stdout } = await promisify(execFile)('openssl', args, { cwd: folder })
  return stdout
    .replaceAll(/(?:[0-9a-f]{2}:){4,}[0-9a-f:\s]*/gi, '…\n')
    .replaceAll(/(Not (?:Before|After)\s*): .*/g, '$1: …')
}

test.each(['etcd', 'k8s', 'k8saggregator', 'os'])(
  'the authority %s has the profile of that of talosctl',
  SLOW,
  async (name) => {
    const theirs = await talosctl('gen', 'secrets', '--talos-version', 'v1.6', '-o', '-')
    const ours = writeBundle(await ourBundle('v1.6')).open()
    const profiles = [theirs, ours].map(async (text, at) => {
      const crt = new RegExp(`^ {4}${name}:\n {8}crt: (.*)$`, 'm').exec(text)?.[1] ?? ''
      const pem = Buffer.from(crt, 'base64').toString()
      return profileOf(await written(`${name}-${at}.crt`, pem))
    })
    const [expected, found] = await Promise.all(profiles)
    expect(found).toBe(expected)
    expect(found).toContain('CA:TRUE')
  },
)

test('a kubeconfig of ours is read by kubectl', SLOW, async () => {
  const { kubernetes: ca } = await ourBundle('v1.6')
  const endpoint = 'https://127.0.0.1:1'
  const text = await kubeconfigFor({ clusterName: 'prod', endpoint, ca, now: new Date() })
  const flags = ['--kubeconfig', await written('kubeconfig', text.open())]

  const seen = JSON.parse(await run('kubectl', 'config', 'view', '--raw', '-o', 'json', ...flags))
  expect(seen).toMatchObject({
    'current-context': 'admin@prod',
    clusters: [{ name: 'prod', cluster: { server: endpoint } }],
    contexts: [
      {
        name: 'admin@prod',
        context: { cluster: 'prod', namespace: 'default', user: 'admin@prod' },
      },
    ],
    users: [{ name: 'admin@prod' }],
  })
  // The pair is loaded before anything is sent, and there is nobody to answer.
  await expect(run('kubectl', 'get', '--raw', '/', ...flags)).rejects.toThrow('connection')
})
