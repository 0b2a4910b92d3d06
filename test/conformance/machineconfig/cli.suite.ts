import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { realPrograms } from '#test/conformance/programs/build.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const SLOW_MACHINE_MS = 120_000

interface Done {
  readonly exitCode: number
  readonly out: string
  readonly err: string
}

/** What a command line did: in a folder of its own, with the same files at the start. */
interface Deed extends Done {
  readonly files: ReadonlyMap<string, string>
}

let folder: string
let talosctl: string
let program: string
const given = new Map<string, string>()

const run = (program: string, args: readonly string[], cwd: string): Promise<Done> =>
  new Promise((resolve) => {
    execFile(program, args, { cwd }, (error, out, err) =>
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, out, err }),
    )
  })

/** Sources take seconds to start. */
async function bundled(): Promise<string> {
  const outdir = join(folder, 'program')
  await build({
    absWorkingDir: ROOT,
    entryPoints: { 'talos-operator': 'src/cli/main.ts' },
    outdir,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    external: ['lmdb'],
    logLevel: 'error',
    banner: {
      js: [
        '#!/usr/bin/env node',
        "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      ].join('\n'),
    },
  })
  const program = join(outdir, 'talos-operator.mjs')
  await chmod(program, 0o755)
  return program
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talos-operator-cli-'))
  ;({ talosctl } = await realPrograms(['talosctl']))
  const flags = ['--with-docs=false', '--with-examples=false']
  await run(talosctl, ['gen', 'secrets'], folder)
  await run(
    talosctl,
    ['gen', 'config', 'one', 'https://192.0.2.1', '--with-secrets', 'secrets.yaml', ...flags],
    folder,
  )
  await run(
    talosctl,
    [
      ...['gen', 'config', 'one', 'https://192.0.2.1', '--with-secrets', 'secrets.yaml', ...flags],
      ...['--talos-version', 'v1.9', '-t', 'worker', '-o', 'old.yaml'],
    ],
    folder,
  )
  for (const name of await readdir(folder))
    given.set(name, await readFile(join(folder, name), 'utf8'))
  program = await bundled()
  given.set('bad.yaml', 'machine: { type: worker }\n')
  given.set('unknown.yaml', 'machine: { type: worker, what: 1 }\n')
  given.set('odd.yaml', (given.get('old.yaml') ?? '').replace('type: worker', 'type: join'))
  given.set('patch.yaml', 'machine: { sysctls: { a: b } }\n')
  givePki()
})

/** A folder as kubeadm has it, of the same keys, and two in which something is amiss. */
function givePki(): void {
  const { certs } = parse(given.get('secrets.yaml') ?? '')
  const plain = (text: string) => Buffer.from(text, 'base64').toString()
  for (const folder of ['pki', 'pki-odd', 'pki-half']) {
    for (const [name, pair] of [
      ['ca', certs.k8s],
      ['etcd/ca', certs.etcd],
      ['front-proxy-ca', certs.k8saggregator],
    ]) {
      given.set(`${folder}/${name}.crt`, plain(pair.crt))
      given.set(`${folder}/${name}.key`, plain(pair.key))
    }
    given.set(`${folder}/sa.key`, plain(certs.k8sserviceaccount.key))
  }
  given.set('pki-odd/sa.key', plain(certs.k8s.crt))
  given.delete('pki-half/etcd/ca.key')
}
afterAll(() => rm(folder, { recursive: true, force: true }))

async function deedOf(name: string, args: readonly string[]): Promise<Deed> {
  const place = await mkdtemp(join(folder, 'place-'))
  await mkdir(join(place, 'folder'))
  for (const [name, text] of given) {
    await mkdir(dirname(join(place, name)), { recursive: true })
    await writeFile(join(place, name), text)
  }
  const done = await run(name, args, place)
  const found = await readdir(place, { recursive: true, withFileTypes: true })
  const paths = found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  const files = await Promise.all(
    paths.map(
      async (path) => [path.slice(place.length + 1), await readFile(path, 'utf8')] as const,
    ),
  )
  return {
    exitCode: done.exitCode,
    out: done.out,
    err: done.err.replaceAll(`${place}/`, ''),
    files: new Map(files.sort(([one], [other]) => one.localeCompare(other))),
  }
}

const both = async (args: readonly string[]): Promise<{ theirs: Deed; ours: Deed }> => {
  const [theirs, ours] = await Promise.all([deedOf(talosctl, args), deedOf(program, args)])
  return { theirs, ours }
}

/** A text as data, if it is of a kind that is written anew each time, its structure alone. */
const content = (name: string, text: string): unknown => {
  const documents = parseAllDocuments(text).map((document) => document.toJS())
  return name.includes('talosconfig') ? shapeOf(documents) : documents
}

const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shapeOf(one)]))
}

const contents = (files: ReadonlyMap<string, string>): unknown =>
  [...files].map(([name, text]) => [name, content(name, text)])

/** Without what only we say: which program it is, and which patch. */
const firstLine = (err: string): string =>
  (err.replace(/^talos-operator: /, '').split('\n')[0] ?? '').replace(
    /(^|: )(--[a-z-]+\[\d+\]|@\S+): /,
    '$1',
  )

const GEN = ['gen', 'config', 'one', 'https://192.0.2.1:6443', '--with-secrets', 'secrets.yaml']
// What talosctl takes from its own version.
const VERSIONS = [
  ...['--kubernetes-version', '1.36.0', '--install-image', 'ghcr.io/siderolabs/installer:v1.13.0'],
]
const PLAIN = ['--with-docs=false', '--with-examples=false']

describe('one command line does the same with talosctl and with us', {
  timeout: SLOW_MACHINE_MS,
}, () => {
  test.each([
    [[...GEN, ...VERSIONS, ...PLAIN, '-o', 'new']],
    [[...GEN, ...VERSIONS, ...PLAIN, '--force']],
    [['gen', '-f', ...GEN.slice(1), ...VERSIONS, ...PLAIN, '--with-kubespan=true']],
    [[...GEN, ...VERSIONS, ...PLAIN, '-t', 'worker', '-o', 'new/worker.yaml']],
    [[...GEN, ...VERSIONS, ...PLAIN, '-t', 'controlplane,talosconfig', '--output-dir', 'new']],
    [[...GEN, ...VERSIONS, ...PLAIN, '--output-types=controlplane', '--output=-']],
    [[...GEN, ...VERSIONS, ...PLAIN, '-t', 'worker', '-o', '-', '--with-cluster-discovery=0']],
    [
      [
        ...[...GEN, ...VERSIONS, ...PLAIN, '--talos-version', 'v1.11', '-o', 'new'],
        ...['--config-patch', '@patch.yaml', '--config-patch', '{"machine":{"sysctls":{"c":"d"}}}'],
        ...['--config-patch-control-plane', '[{"op":"replace","path":"/debug","value":true}]'],
        ...['--config-patch-worker', 'patch.yaml', '--additional-sans', 'a.example,b.example'],
        ...['--registry-mirror', 'docker.io=https://a.example', '--dns-domain', 'a.example'],
        ...['--install-disk', '/dev/vda', '--version', 'v1alpha1'],
      ],
    ],
    [['machineconfig', 'patch', 'worker.yaml', '--patch', '@patch.yaml']],
    [['mc', 'patch', 'worker.yaml', '-p', 'patch.yaml', '-o', 'a/b/patched.yaml']],
    [
      [
        'mc',
        'patch',
        'old.yaml',
        '-p',
        '[{"op":"add","path":"/debug","value":true}]',
        '-o',
        'old.yaml',
      ],
    ],
    [['mc', 'patch', 'worker.yaml']],
    [['validate', '-c', 'controlplane.yaml', '-m', 'metal']],
    [['validate', '--config', 'worker.yaml', '--mode=cloud', '--strict']],
    [['validate', '-c', 'worker.yaml', '-m', 'container', '--strict=false']],
    [['validate', '-c', 'odd.yaml', '-m', 'metal']],
    [['gen', 'secrets', '--from-controlplane-config', 'controlplane.yaml', '-o', 'again.yaml']],
    [['gen', 'secrets', '--from-controlplane-config', 'controlplane.yaml', '-o', '-']],
  ])('%j', async (args) => {
    const { theirs, ours } = await both(args)

    expect(theirs.exitCode).toBe(0)
    expect(ours.exitCode).toBe(0)
    expect(ours.err).toBe(theirs.err)
    expect(content('', ours.out)).toEqual(content('', theirs.out))
    expect(contents(ours.files)).toEqual(contents(theirs.files))
  })

  test.each([
    [['gen', 'secrets']],
    [['gen', 'secrets', '--talos-version', 'abc', '-f']],
    [['gen', 'secrets', '-o', 'none/secrets.yaml']],
    [['gen', 'secrets', '-f', '--from-controlplane-config', 'none.yaml']],
    [['gen', 'secrets', '-f', '--from-controlplane-config', 'unknown.yaml']],
    [['gen', 'secrets', '-f', '-p', 'none']],
    [['gen', 'secrets', '-f', '-p', 'patch.yaml']],
    [['gen', 'secrets', '-f', '-p', 'folder']],
    [['gen', 'secrets', '-f', '--from-kubernetes-pki', 'pki-odd', '-o', '-']],
    [['gen', 'secrets', '-f', '--from-kubernetes-pki=pki-half', '-t', 'abc.def']],
    [['gen', 'config', 'one', '192.0.2.1']],
    [['gen', 'config', 'one', 'http://192.0.2.1:6443']],
    [[...GEN, '--with-secrets', 'none.yaml', '-o', 'new']],
    [[...GEN, '--with-secrets', 'bad.yaml', '-o', 'new']],
    [[...GEN, '--talos-version', 'x', '-o', 'new']],
    [[...GEN, '-o', '-']],
    [[...GEN, '-t', 'init', '-o', 'new']],
    [[...GEN, '-t', 'worker,init', '-o', 'new']],
    [[...GEN, '--output-types=', '-o', 'new']],
    [[...GEN, '--output-dir', 'a', '-o', 'new']],
    [[...GEN, '--version', 'v2', '-o', 'new']],
    [[...GEN, '--registry-mirror', 'docker.io', '-o', 'new']],
    [[...GEN, '--config-patch', '@none.yaml', '-o', 'new']],
    [[...GEN, '--config-patch', '{"machine": {"no": 1}}', '-o', 'new']],
    [[...GEN, '--config-patch-worker', '[{"op":"remove","path":"/debug"}]', '-o', 'new']],
    [['mc', 'patch', 'none.yaml', '-p', '@patch.yaml']],
    [['mc', 'patch', 'worker.yaml', '-p', '@none.yaml']],
    [['mc', 'patch', 'worker.yaml', '-p', '{"machine": {"no": 1}}']],
    [['mc', 'patch', 'worker.yaml', '-p', '[{"op":"remove","path":"/debug"}]']],
    [['mc', 'patch', 'old.yaml', '-p', '[{"op":"remove","path":"/none"}]']],
    [['mc', 'patch', 'folder', '-p', '@patch.yaml']],
    [['validate', '-m', 'metal']],
    [['validate', '-c', 'none.yaml', '-m', 'metal']],
    [['validate', '-c', 'worker.yaml', '-m', 'Metal']],
    [['validate', '-c', 'bad.yaml', '-m', 'metal']],
    [['validate', '-c', 'unknown.yaml', '-m', 'metal']],
    [['validate', '-c', 'odd.yaml', '-m', 'metal', '--strict']],
  ])('%j fails', async (args) => {
    const { theirs, ours } = await both(args)

    expect(theirs.exitCode).toBe(1)
    expect(ours.exitCode).toBe(1)
    expect(firstLine(ours.err)).toBe(firstLine(theirs.err))
    expect(ours.out).toBe(theirs.out)
    expect(ours.files).toEqual(theirs.files)
  })

  test.each([
    [['validate', '-c', 'worker.yaml']],
    [['gen', 'config', 'one']],
    [['gen', 'secrets', 'further']],
    [['gen', 'secrets', '--no-such-flag']],
    [['mc', 'patch']],
  ])('%j is refused by both, each in its own words', async (args) => {
    const { theirs, ours } = await both(args)

    expect([theirs.exitCode, ours.exitCode]).toEqual([1, 1])
    expect(ours.files).toEqual(theirs.files)
  })

  test('what Kubernetes has of the secrets is taken over as by talosctl', async () => {
    const args = ['gen', 'secrets', '-p', 'pki', '-t', 'abc.def', '-o', 'new.yaml']
    const { theirs, ours } = await both(args)

    const [real, own] = [theirs, ours].map(({ files }) => parse(files.get('new.yaml') ?? ''))
    expect([theirs.exitCode, ours.exitCode]).toEqual([0, 0])
    expect(shapeOf(own)).toEqual(shapeOf(real))
    expect(own.secrets.bootstraptoken).toBe(real.secrets.bootstraptoken)
    expect({ ...own.certs, os: real.certs.os }).toEqual(real.certs)
  })

  test('secrets that we make are taken by talosctl, and those of talosctl by us', async () => {
    await run(program, ['gen', 'secrets', '-o', 'ours.yaml'], folder)
    const flags = [...VERSIONS, ...PLAIN, '-o', 'new']
    given.set('ours.yaml', await readFile(join(folder, 'ours.yaml'), 'utf8'))
    const args = ['gen', 'config', 'one', 'https://192.0.2.1:6443', '--with-secrets', 'ours.yaml']
    const { theirs, ours } = await both([...args, ...flags])

    expect([theirs.exitCode, ours.exitCode]).toEqual([0, 0])
    expect(contents(ours.files)).toEqual(contents(theirs.files))
  })
})
