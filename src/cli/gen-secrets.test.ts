import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { run } from './a-terminal.cases.ts'

let folder: string
let secrets: string
let controlPlane: string
const at = (name: string): string => join(folder, name)
const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talos-operator-gen-'))
  // Before v1.7 there is no RSA key, which takes seconds to find.
  secrets = at('secrets.yaml')
  await run('gen', 'secrets', '--talos-version', 'v1.6', '-o', secrets)
  controlPlane = at('controlplane.yaml')
  const files = ['--with-secrets', secrets, '-t', 'controlplane', '-o', controlPlane]
  await run('gen', 'config', 'one', 'https://192.0.2.1:6443', ...files)
})
afterAll(() => rm(folder, { recursive: true }))

test('gen secrets writes a bundle that only its owner can read, and prints nothing', async () => {
  const path = at('new.yaml')

  expect(await run('gen', 'secrets', '--talos-version', 'v1.6', '-o', path)).toEqual({
    out: '',
    err: '',
    exitCode: 0,
  })
  expect(await modeOf(path)).toBe(0o600)
  expect(Object.keys(parse(await readFile(path, 'utf8')))).toEqual([
    'cluster',
    'secrets',
    'trustdinfo',
    'certs',
  ])
})

test('gen secrets never overwrites a file unless it is told to', async () => {
  const before = await readFile(secrets, 'utf8')

  expect(await run('gen', 'secrets', '--talos-version', 'v1.6', '-o', secrets)).toEqual({
    out: '',
    err: `file ${JSON.stringify(secrets)} already exists, use --force to overwrite\n`,
    exitCode: 1,
  })
  expect(await readFile(secrets, 'utf8')).toBe(before)
})

test.each([
  ['after', ['gen', 'secrets', '--force']],
  ['before', ['gen', '-f', 'secrets']],
])(
  'with --force %s the command the file is overwritten, and is private then',
  async (where, words) => {
    const path = at(`forced-${where}.yaml`)
    await writeFile(path, 'what was there')
    await chmod(path, 0o644)

    const { exitCode } = await run(...words, '--talos-version=v1.6', '-o', path)

    expect(exitCode).toBe(0)
    expect(await readFile(path, 'utf8')).toMatch(/^cluster:\n/)
    expect(await modeOf(path)).toBe(0o600)
  },
)

test('gen secrets -o - prints the bundle', async () => {
  const { out } = await run('gen', 'secrets', '--talos-version', '1.6.0', '-o', '-')

  expect(parse(out).certs.os.crt).toBeDefined()
})

test('gen secrets --from-controlplane-config finds the bundle that the machine has', async () => {
  const { out } = await run('gen', 'secrets', '--from-controlplane-config', controlPlane, '-o', '-')

  expect(parse(out)).toEqual(parse(await readFile(secrets, 'utf8')))
})

test('what cannot be imported is refused with what was tried', async () => {
  const missing = await run('gen', 'secrets', '-o', '-', '--from-controlplane-config', at('none'))
  await writeFile(at('worker.yaml'), 'machine: { type: worker }\n')
  const worker = await run(
    'gen',
    'secrets',
    '-o',
    '-',
    '--from-controlplane-config',
    at('worker.yaml'),
  )

  expect(missing).toMatchObject({
    err: `failed to load controlplane config: open ${at('none')}: no such file or directory\n`,
    exitCode: 1,
  })
  expect(worker.err).toMatch(/^failed to create secrets bundle: /)
})

test.each([
  ['abc', 'invalid talos-version: error parsing version "vabc"'],
  ['v1.4', 'invalid talos-version: Talos 1.4.0 is not served'],
  ['v1.9.x', 'invalid talos-version: "v1.9.x" is not a version of Talos'],
])('the version %s is refused', async (version, problem) => {
  const { err, exitCode } = await run('gen', 'secrets', '--talos-version', version, '-o', at('no'))

  expect(err).toContain(problem)
  expect(exitCode).toBe(1)
})

test('a folder that is not there is named', async () => {
  const path = at('none/secrets.yaml')

  expect(await run('gen', 'secrets', '--talos-version', 'v1.6', '-o', path)).toMatchObject({
    err: `open ${path}: no such file or directory\n`,
    exitCode: 1,
  })
})

describe('the secrets of a cluster of Kubernetes', () => {
  const FILES = ['ca', 'etcd/ca', 'front-proxy-ca']
  let pki: string

  beforeAll(async () => {
    pki = at('pki')
    await mkdir(join(pki, 'etcd'), { recursive: true })
    const { certs } = parse(await readFile(secrets, 'utf8'))
    const plain = (text: string) => Buffer.from(text, 'base64').toString()
    for (const [file, pair] of [
      ['ca', certs.k8s],
      ['etcd/ca', certs.etcd],
      ['front-proxy-ca', certs.k8saggregator],
    ]) {
      await writeFile(join(pki, `${file}.crt`), plain(pair.crt))
      await writeFile(join(pki, `${file}.key`), plain(pair.key))
    }
    await writeFile(join(pki, 'sa.key'), plain(certs.k8sserviceaccount.key))
  })

  test('are taken over, and what Talos needs besides is made', async () => {
    const { out, err } = await run('gen', 'secrets', '-p', pki, '-t', 'abc.def', '-o', '-')

    expect(err).toBe('')
    const before = parse(await readFile(secrets, 'utf8'))
    const { certs, secrets: kept, cluster } = parse(out)
    expect(kept.bootstraptoken).toBe('abc.def')
    expect({ ...certs, os: before.certs.os }).toEqual(before.certs)
    expect(certs.os).not.toEqual(before.certs.os)
    expect(cluster.id).not.toBe(before.cluster.id)
  })

  test('have a new token unless one is given, which alone does nothing', async () => {
    const own = await run('gen', 'secrets', '--from-kubernetes-pki', pki, '-o', '-')
    const alone = await run('gen', 'secrets', '--talos-version=v1.6', '-t', 'abc.def', '-o', '-')

    for (const { out } of [own, alone]) {
      expect(parse(out).secrets.bootstraptoken).toMatch(/^[0-9a-z]{6}\.[0-9a-z]{16}$/)
    }
  })

  test.each([...FILES.flatMap((file) => [`${file}.crt`, `${file}.key`]), 'sa.key'])(
    'are refused without %s, or when it is something else',
    async (name) => {
      const path = join(pki, name)
      const text = await readFile(path, 'utf8')
      await rm(path)
      const missing = await run('gen', 'secrets', '-p', pki, '-o', '-')
      await writeFile(path, 'what is this')
      const odd = await run('gen', 'secrets', '-p', pki, '-o', '-')
      await writeFile(path, text)

      const problem = 'failed to create secrets bundle: '
      expect(missing.err).toBe(`${problem}open ${path}: no such file or directory\n`)
      expect(odd.err).toBe(`${problem}failed to parse PEM block\n`)
    },
  )

  test('are in a folder', async () => {
    const file = join(pki, 'ca.crt')

    expect((await run('gen', 'secrets', '-p', file, '-o', '-')).err).toBe(
      `failed to create secrets bundle: "${file}" is not a directory\n`,
    )
    expect((await run('gen', 'secrets', '-p', at('none'), '-o', '-')).err).toBe(
      `failed to create secrets bundle: stat ${at('none')}: no such file or directory\n`,
    )
  })
})
