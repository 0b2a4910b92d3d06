import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { run, type Seen } from './a-terminal.cases.ts'

let folder: string
const at = (name: string): string => join(folder, name)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talos-operator-gen-'))
  // Before v1.7 there is no RSA key, which takes seconds to find.
  await run('gen', 'secrets', '--talos-version', 'v1.6', '-o', at('secrets.yaml'))
})
afterAll(() => rm(folder, { recursive: true }))

const genConfig = (...flags: string[]): Promise<Seen> =>
  run(
    ...['gen', 'config', 'one', 'https://192.0.2.1:6443'],
    ...['--with-secrets', at('secrets.yaml'), ...flags],
  )

/** What is printed for one type, as data. */
async function printed(type: string, ...flags: string[]) {
  const { out, err } = await genConfig('-t', type, '-o', '-', ...flags)
  expect(err).toBe('generating PKI and tokens\n')
  return parseAllDocuments(out).map((document) => document.toJS())
}

test('gen config writes three files that only their owner can read', async () => {
  const seen = await genConfig(
    '-o',
    at('cluster/one'),
    '--with-docs=false',
    '--with-examples=false',
  )

  expect(seen).toEqual({
    out: '',
    err: [
      'generating PKI and tokens',
      `Created ${at('cluster/one/controlplane.yaml')}`,
      `Created ${at('cluster/one/worker.yaml')}`,
      `Created ${at('cluster/one/talosconfig')}`,
      '',
    ].join('\n'),
    exitCode: 0,
  })
  for (const name of await readdir(at('cluster/one'))) {
    expect((await stat(at(`cluster/one/${name}`))).mode & 0o777).toBe(0o600)
  }
})

test('nothing is written when one of the files is there already', async () => {
  await writeFile(at('worker.yaml'), 'mine')

  const { err, exitCode } = await genConfig('-o', folder)

  expect(err).toBe(
    `file ${JSON.stringify(at('worker.yaml'))} already exists, use --force to overwrite\n`,
  )
  expect(exitCode).toBe(1)
  expect(await readdir(folder)).not.toContain('controlplane.yaml')
  expect((await genConfig('-o', folder, '-f')).exitCode).toBe(0)
  expect(await readFile(at('worker.yaml'), 'utf8')).toMatch(/^version: v1alpha1\n/)
})

test('the flags are in the configuration', async () => {
  const [config, ...others] = await printed(
    'controlplane',
    ...['--talos-version', 'v1.9', '--kubernetes-version', 'v1.31.2'],
    ...['--install-disk', '/dev/vda', '--install-image', 'registry.example/installer:v1.9.1'],
    ...['--additional-sans', 'a.example,192.0.2.9', '--additional-sans', 'b.example'],
    ...['--dns-domain', 'cluster.example', '--with-kubespan', '--with-cluster-discovery=false'],
    ...['--registry-mirror', 'docker.io=https://a.example,docker.io=https://b.example'],
  )

  expect(others).toEqual([])
  expect(config.machine).toMatchObject({
    type: 'controlplane',
    certSANs: ['a.example', '192.0.2.9', 'b.example'],
    kubelet: { image: 'ghcr.io/siderolabs/kubelet:v1.31.2' },
    network: { kubespan: { enabled: true } },
    install: { disk: '/dev/vda', image: 'registry.example/installer:v1.9.1' },
    registries: {
      mirrors: { 'docker.io': { endpoints: ['https://a.example', 'https://b.example'] } },
    },
  })
  expect(config.cluster).toMatchObject({
    clusterName: 'one',
    controlPlane: { endpoint: 'https://192.0.2.1:6443' },
    network: { dnsDomain: 'cluster.example' },
    discovery: { enabled: false },
  })
})

test('installer and Kubernetes are those of the version of Talos', async () => {
  const [newest] = await printed('worker')
  const [older] = await printed('worker', '--talos-version', 'v1.9.5')
  const [none] = await printed('worker', '--kubernetes-version=', '--install-image=')

  expect(newest.machine).toMatchObject({
    kubelet: { image: 'ghcr.io/siderolabs/kubelet:v1.36.3' },
    install: { image: 'ghcr.io/siderolabs/installer:v1.13.9', disk: '/dev/sda' },
  })
  expect(older.machine).toMatchObject({
    kubelet: { image: 'ghcr.io/siderolabs/kubelet:v1.32.4' },
    install: { image: 'ghcr.io/siderolabs/installer:v1.9.5' },
  })
  expect(none.machine.kubelet.image).toBeUndefined()
  expect(none.machine.install.image).toBeUndefined()
})

test('patches apply in order: those of all machines, then those of the role', async () => {
  await writeFile(at('patch.yaml'), 'machine: { sysctls: { a: from a file, b: from a file } }\n')
  const patches = [
    ...['--config-patch', `@${at('patch.yaml')}`],
    ...['--config-patch', '{"machine": {"sysctls": {"b": "inline"}}}'],
    ...['--config-patch-worker', at('patch.yaml')],
    ...['--config-patch-control-plane', 'machine: { sysctls: { c: for control planes } }'],
  ]
  const [controlPlane] = await printed('controlplane', ...patches)
  const [worker] = await printed('worker', ...patches)

  expect(controlPlane.machine.sysctls).toEqual({
    a: 'from a file',
    b: 'inline',
    c: 'for control planes',
  })
  expect(worker.machine.sysctls).toEqual({ a: 'from a file', b: 'from a file' })
})

test('a talosconfig has one context, with a certificate of the cluster', async () => {
  const [config] = await printed('talosconfig')

  expect(config.context).toBe('one')
  expect(Object.keys(config.contexts.one)).toEqual(['endpoints', 'ca', 'crt', 'key'])
})

test('without --with-secrets new ones are made', async () => {
  const flags = ['--talos-version', 'v1.6', '-t', 'worker', '-o', '-']
  const [one, other] = await Promise.all(
    [1, 2].map(() => run('gen', 'config', 'one', 'https://192.0.2.1:6443', ...flags)),
  )

  expect(one?.out).toMatch(/^version: v1alpha1\n/)
  expect(one?.out).not.toBe(other?.out)
})

describe('what cannot be is refused in the words of talosctl', () => {
  test.each([
    [['-t', 'worker,talosconfig', '-o', '-'], "can't use multiple output types with stdout"],
    [['-t', 'init'], '1 error occurred:\n\t* invalid output type: "init"\n'],
    [['--output-dir', 'a', '-o', 'b'], "can't use both output-dir and output"],
    [['--version', 'v2'], 'unknown config version: "v2"'],
    [['--registry-mirror', 'docker.io'], 'invalid registry mirror spec: "docker.io"'],
    [['--talos-version', 'x'], 'invalid talos-version: error parsing version "vx"'],
    [['--with-secrets', '/none'], 'failed to load secrets bundle: open /none: no such file'],
    [['--config-patch', '@/none'], 'error parsing config JSON patch: open /none: no such file'],
    [
      ['--config-patch-worker', '{"machine": {"no": 1}}'],
      'error parsing config JSON patch: --config-patch-worker[0]: error decoding document',
    ],
    [
      [
        '--config-patch-worker',
        '[{"op": "remove", "path": "/machine/none"}]',
        '--talos-version',
        'v1.9',
      ],
      'generating PKI and tokens\nfailed to generate config bundle: error patching worker config: ',
    ],
    [
      ['--config-patch', '[]', '--config-patch-control-plane', '[{"op": "remove", "path": "/x"}]'],
      'failed to generate config bundle: error patching',
    ],
    [['--kubernetes-version', 'new'], 'failed to generate config bundle: '],
  ])('%j', async (flags, problem) => {
    const { out, err, exitCode } = await genConfig('-t', 'worker', '-o', at('never'), ...flags)

    expect(err).toContain(problem)
    expect({ out, exitCode }).toEqual({ out: '', exitCode: 1 })
    expect(await readdir(folder)).not.toContain('never')
  })

  test('no output type at all', async () => {
    const { err } = await genConfig('-t', '', '-o', '-')

    expect(err).toBe('at least one output type must be specified\n')
  })

  test('an endpoint without a scheme, with what to try', async () => {
    const { err } = await run('gen', 'config', 'one', '192.0.2.1', '-o', at('never'))

    expect(err).toBe(
      'no scheme and port specified for the cluster endpoint URL\ntry: "https://192.0.2.1:6443"\n',
    )
  })
})
