import { execFile } from 'node:child_process'
import { access, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kinds } from '#api/kinds.ts'
import { parseYamlDocuments } from '#base/yaml.ts'
import { deploymentOf, RESULTS_PATH } from '#operator/deployment.ts'
import packageFile from '#package.json' with { type: 'json' }
import { anApi } from '#test/an-api.ts'
import { freePort } from '#test/bench/free-port.ts'
import { startChild } from '#test/conformance/kubernetes/child.ts'
import { nodeOfTheImage, oldestNode } from '#test/conformance/programs/from-npm.ts'
import { programs } from '#test/conformance/programs/programs.ts'
import { until } from '#test/until.ts'
import { QUICK_ELECTION } from './deployed-program.ts'
import { filesBelow, HOST, type Layout, layoutOf, machineOf } from './image-layout.ts'

// What the Dockerfile makes, made without Docker, and started as the image starts it: on the Node that the image has, and
// on the oldest one that package.json allows.

const FIRST_FETCH_MS = 15 * 60_000

let image: Layout
let folder: string
beforeAll(async () => {
  image = await layoutOf()
  folder = await mkdtemp(join(tmpdir(), 'talos-operator-image-data-'))
}, FIRST_FETCH_MS)
afterAll(async () => {
  await image?.[Symbol.asyncDispose]()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const nodes = [
  { title: 'the Node of the image', node: await nodeOfTheImage() },
  { title: 'the oldest Node', node: await oldestNode() },
]

describe.each(nodes)('the program of the image, on $title', ({ node }) => {
  const variables = { PATH: [dirname(node), '/usr/bin', '/bin'].join(delimiter), HOME: '/' }
  /** What the image starts, where it is here. */
  const started = (): [string, ...string[]] => {
    const [program = '', ...rest] = image.words('ENTRYPOINT')
    return [join(image.path, program), ...rest]
  }
  const typed = async (...args: string[]) => {
    const [program, ...more] = started()
    const env = { ...variables, ...variablesOf(folder) }
    return promisify(execFile)(program, [...more, ...args], { env, maxBuffer: 2 ** 26 })
  }
  /** Starts it, and yields what it has logged. */
  const start = (name: string, ...args: string[]) => {
    const log = join(folder, `${name}-${process.hrtime.bigint()}.log`)
    const own = Object.entries({ ...variables, ...variablesOf(folder) })
    const env = ['-i', ...own.map(([key, value]) => `${key}=${value}`)]
    const child = startChild('/usr/bin/env', [...env, ...started(), ...args], { log })
    return {
      log: () => readFile(log, 'utf8'),
      [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
    }
  }
  const ready = async (probes: number, log: () => Promise<string>) => {
    const look = async () => ({
      status: await fetch(`http://127.0.0.1:${probes}/readyz`).then(
        (answer) => answer.status,
        () => undefined,
      ),
      log: await log(),
    })
    return until('it to be ready', look, ({ status }) => status === 200)
  }

  test('tells its version', async () => {
    expect(await typed('--version')).toEqual({ stdout: `${packageFile.version}\n`, stderr: '' })
  })

  test('prints its manifests', async () => {
    const { stdout } = await typed('manifests', '--all', '--operator')

    const found = parseYamlDocuments(stdout).map((one) => Object(one).kind)
    expect(found.filter((kind) => kind === 'CustomResourceDefinition')).toHaveLength(kinds.length)
    expect(found).toContain('Deployment')
  })

  test('becomes ready with the arguments and variables of the Deployment', async () => {
    await using api = await anApi({ kinds })
    const probes = await freePort()
    const args = (containerOf()?.args ?? []).map((word) =>
      word.replace(':8081', `127.0.0.1:${probes}`).replace(':8080', '127.0.0.1:0'),
    )
    await using program = start(
      'run',
      ...args,
      ...QUICK_ELECTION,
      ...['--kubeconfig', api.kubeconfig, '--leader-election-namespace', 'default'],
    )

    const { log } = await ready(probes, program.log)
    expect(log).not.toMatch(/"level":"(error|warn)"/)
  })

  test('becomes ready with an API of its own, and again with what that one has kept', async () => {
    const data = join(folder, `data-${process.hrtime.bigint()}`)
    for (const round of ['first', 'second']) {
      const probes = await freePort()
      await using program = start(
        ...[`standalone-${round}`, 'standalone', '--data-dir', data],
        ...['--listen', '127.0.0.1:0', '--metrics-bind-address', '0', ...QUICK_ELECTION],
        ...['--health-probe-bind-address', `127.0.0.1:${probes}`],
      )

      const { log } = await ready(probes, program.log)
      expect(log).toContain(`export KUBECONFIG=${data}/kubeconfig`)
    }
  })
})

describe('what is in the image', () => {
  test('the program, and the packages that are not in its bundle', async () => {
    const app = join(image.path, 'app')
    const files = await filesBelow(app)
    const packages = files.flatMap(
      (path) => /^node_modules\/(?!\.)((@[^/]+\/)?[^/]+)/.exec(path) ?? [],
    )
    const { packages: locked } = JSON.parse(await readFile('package-lock.json', 'utf8'))

    expect((await readdir(app)).sort()).toEqual([
      ...['LICENSE', 'bin', 'dist', 'node_modules', 'package.json'],
    ])
    expect(files.filter((path) => path.startsWith('bin/'))).toEqual([
      ...['bin/lean-node', 'bin/talos-operator'],
    ])
    for (const name of new Set(packages)) {
      expect(locked[`node_modules/${name}`]?.dev, name).toBeUndefined()
    }
    expect(files.filter((path) => /\.(ts|map)$/.test(path) && !/\.d\.c?ts$/.test(path))).toEqual([])
  })

  test('Helm, of the version that charts are tried with, its licence, and certificates for it', async () => {
    const { stdout } = await promisify(execFile)(join(image.path, 'usr/local/bin/helm'), [
      ...['version', '--short'],
    ])

    expect(stdout).toContain(programs.helm.version)
    const licence = join(image.path, 'usr/local/share/licenses/helm/LICENSE')
    expect(await readFile(licence, 'utf8')).toContain('Apache License')
    await access(join(image.path, 'etc/ssl/certs/ca-certificates.crt'))
  })

  test('machine code for one kind of machine', async () => {
    expect([...(await machinesIn(image.path)).values()]).toEqual([HOST, HOST])
  })
})

describe.each(['amd64', 'arm64'])('the packages of an image for %s', (architecture) => {
  test('have machine code for nothing else', { timeout: 300_000 }, async () => {
    await using packages = await layoutOf({ stage: 'packages', architecture })

    const machines = await machinesIn(packages.path)
    expect([...machines.keys()].map((path) => path.replace(/.*node_modules\//, ''))).toEqual([
      `@lmdb/lmdb-linux-${architecture === 'amd64' ? 'x64' : 'arm64'}/node.napi.glibc.node`,
    ])
    expect([...machines.values()]).toEqual([architecture])
  })
})

test('an image for another kind of machine is refused with a sentence', async () => {
  await expect(layoutOf({ stage: 'packages', architecture: 's390x' })).rejects.toThrow(
    'there is no image for TARGETARCH=s390x',
  )
})

async function machinesIn(path: string) {
  const machines = new Map<string, string>()
  for (const file of await filesBelow(path)) {
    const machine = await machineOf(join(path, file))
    if (machine !== undefined) machines.set(file, machine)
  }
  return machines
}

const containerOf = () =>
  deploymentOf({ namespace: 'x', namespaces: [] }).spec.template.spec.containers[0]

/** The name of the pod is the only one without a value. */
const variablesOf = (results: string): Record<string, string> =>
  Object.fromEntries(
    (containerOf()?.env ?? []).map(({ name, value = 'pod-1' }) => [
      name,
      value.replace(RESULTS_PATH, `${results}/results`),
    ]),
  )
