import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run as talosOperator } from '#cli/a-terminal.cases.ts'
import { controllersWith } from '#operator/controllers.ts'
import { openPorts } from '#operator/ports.ts'
import { apis, type RunningApi } from '#test/conformance/apis.ts'
import { type Run, userOf } from '#test/conformance/commands.ts'
import {
  type RunningOperator,
  startOperatorOf,
} from '#test/conformance/runtime/running-operator.ts'
import { until } from '#test/until.ts'

const LONG = 120_000
const NAMESPACE = 'somewhere'
const ELSEWHERE = 'elsewhere'

const PUBLISHED = 'test/scenarios/published'

// Both examples of the document, byte for byte, with kubectl: one life of two clusters.
describe.each(apis)('KubernetesClusters on $name', { timeout: LONG }, ({ start }) => {
  let api: RunningApi
  let operator: RunningOperator
  let run: Run
  let folder: string
  const kubectl = (...args: string[]) => run('kubectl', ['--namespace', NAMESPACE, ...args])
  const ask = async (...args: string[]) => (await kubectl(...args)).stdout.trim()
  const machines = async (cluster: string) =>
    (
      await ask(
        'get',
        'machines.vitistack.io',
        '-l',
        `cluster.vitistack.io/cluster-name=${cluster}`,
        '-o',
        'name',
      )
    )
      .split('\n')
      .filter(Boolean)
      .map((name) => name.replace(/.*\//, ''))
  const field = (cluster: string, path: string) =>
    ask('get', 'kubernetescluster', cluster, '-o', `jsonpath={${path}}`)

  beforeAll(async () => {
    api = await start()
    run = await userOf(api.kubeconfig)
    folder = await mkdtemp(join(tmpdir(), 'results-'))
    for (const args of [
      ['apply', '--server-side', '-k', 'config/crd'],
      ['wait', '--for=condition=Established', 'crd', '--all'],
      ['create', 'namespace', NAMESPACE],
    ]) {
      const { exitCode, stderr } = await run('kubectl', args)
      if (exitCode !== 0) throw new Error(stderr)
    }
    operator = await startOperatorOf({
      ...{ kubeconfig: api.kubeconfig, flags: { resultsPath: folder, reconcileInterval: '1s' } },
      controllers: (given) => controllersWith(openPorts(given)),
    })
    await operator.untilReady()
  }, LONG)
  afterAll(async () => {
    await operator?.[Symbol.asyncDispose]()
    await api?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  /** What diff says of the smaller example, or of what an edit makes of it. */
  async function diff(edit = (text: string) => text) {
    const path = `${folder}.yaml`
    const text = await readFile(`${PUBLISHED}/simple-cluster.yaml`, 'utf8')
    await writeFile(path, edit(text))
    const place = ['--kubeconfig', api.kubeconfig, '--namespace', NAMESPACE]
    const { out, err, exitCode } = await talosOperator('diff', ...place, '-f', path)
    await rm(path)
    return { summary: out.trimEnd().split('\n').at(-1), out, err, exitCode }
  }

  test('diff says what the smaller example would come to, and makes nothing', async () => {
    expect(await diff()).toMatchObject({
      ...{ err: '', exitCode: 1 },
      summary: '5 machines are added; Machines of providers: 5 created',
    })
    expect(await machines('simple-cluster')).toEqual([])
  })

  test.each([
    ['simple-cluster', { cp: 3, workers: 2 }],
    ['complex-cluster', { cp: 3, 'general-workers': 3, 'gpu-workers': 2, 'storage-workers': 1 }],
  ])(
    'R62, R63, R64: %s, verbatim in a namespace of its own, has its Machines and files',
    async (name, groups) => {
      const applied = await kubectl('apply', '-f', `${PUBLISHED}/${name}.yaml`)
      await until(
        'its status',
        () => field(name, '.status.conditions[?(@.type=="FilesGenerated")].status'),
        (status) => status === 'True',
      )

      expect(applied.exitCode).toBe(0)
      const names = await machines(name)
      expect(names).toEqual(
        Object.entries(groups).flatMap(([group, replicas]) =>
          Array.from({ length: replicas }, (_, at) => `${name}-${group}-${at}`),
        ),
      )
      expect(await field(name, '.status.machineCount')).toBe(`${names.length}`)
      const files = (await readdir(join(folder, name))).filter((one) => !one.startsWith('.'))
      expect(files.sort()).toEqual(names.map((one) => `${one}.yaml`).sort())
    },
  )

  test('A3: both have the same endpoint, and both are warned of it', async () => {
    const warned = async () =>
      ask(
        'get',
        'events.events.k8s.io',
        '-o',
        'jsonpath={range .items[?(@.reason=="EndpointShared")]}{.regarding.name} {end}',
      )
    const told = await until('both to be told', warned, (names) => names.split(' ').length === 2)

    expect(told.split(' ').sort()).toEqual(['complex-cluster', 'simple-cluster'])
    expect((await ask('get', 'machines.vitistack.io', '-o', 'name')).split('\n')).toHaveLength(14)
  })

  test('R3: its status is written apart from it, and changes no generation', async () => {
    expect(await field('simple-cluster', '.metadata.generation')).toBe('1')
    expect(await field('simple-cluster', '.status.observedGeneration')).toBe('1')
  })

  test('diff tells an edit from what is on its way without it', async () => {
    const same = await diff()
    const larger = await diff((text) => text.replace('replicas: 2', 'replicas: 3'))
    const smaller = await diff((text) => text.replace('replicas: 2', 'replicas: 1'))
    const other = await diff((text) => text.replaceAll(/ {6}spec:$/gm, '      spec: { memory: 8 }'))

    expect(same).toMatchObject({ err: '', exitCode: 0, summary: 'no machine changes' })
    expect(larger.summary).toBe('1 machine is added; Machines of providers: 1 created')
    expect(smaller).toMatchObject({ err: '', exitCode: 1 })
    expect(smaller.out).toContain(`Machine ${NAMESPACE}/simple-cluster-workers-1 is removed`)
    expect(other.out).toContain(`Machine ${NAMESPACE}/simple-cluster-cp-0 changes: spec.memory`)
  })

  test('R31: every file is a manifest that the server accepts', async () => {
    const files = (await readdir(join(folder, 'simple-cluster'))).filter(
      (one) => !one.startsWith('.'),
    )
    for (const file of files) {
      const path = join(folder, 'simple-cluster', file)
      const { exitCode, stderr } = await kubectl('apply', '--dry-run=server', '-f', path)

      expect(stderr).not.toMatch(/error/i)
      expect(exitCode).toBe(0)
    }
  })

  test('R25: while nothing changes, nothing is written', async () => {
    const versions = () =>
      ask(
        'get',
        'machines.vitistack.io,kubernetesclusters',
        '-o',
        'jsonpath={.items[*].metadata.resourceVersion}',
      )
    await until('all to be said', versions, () => true)
    const before = await versions()
    const looks = operator.lines.length
    await until(
      'some more looks',
      async () => operator.lines.length,
      (lines) => lines > looks + 8,
    )

    expect(await versions()).toBe(before)
  })

  test('R37: a cluster that is deleted takes its Machines and files along', async () => {
    await kubectl('delete', 'kubernetescluster', 'simple-cluster', '--wait=true')

    expect(await machines('simple-cluster')).toEqual([])
    expect(await readdir(folder)).toEqual(['complex-cluster'])
    expect(await machines('complex-cluster')).toHaveLength(9)
  })

  test('A16, R29, R30: of two namespaces with one clusterName the first has the folder, and the second when the first is gone', async () => {
    const at = (namespace: string, ...args: string[]) =>
      run('kubectl', ['--namespace', namespace, ...args])
    const apply = (namespace: string) =>
      at(namespace, 'apply', '-f', `${PUBLISHED}/simple-cluster.yaml`)
    const remove = (namespace: string) =>
      at(namespace, 'delete', 'kubernetescluster', 'simple-cluster', '--wait=true')
    const generated = async (namespace: string, what: 'status' | 'message') => {
      const path = `jsonpath={.status.conditions[?(@.type=="FilesGenerated")].${what}}`
      const name = ['kubernetescluster', 'simple-cluster']
      return (await at(namespace, 'get', ...name, '-o', path)).stdout
    }
    const untilGenerated = (namespace: string, wanted: string) =>
      until(
        `files of ${namespace}: ${wanted}`,
        () => generated(namespace, 'status'),
        (status) => status === wanted,
      )
    const filesAsWritten = async () => {
      const names = (await readdir(join(folder, 'simple-cluster'))).sort()
      const stats = names.map((name) => stat(join(folder, 'simple-cluster', name)))
      return (await Promise.all(stats)).map(({ ino, mtimeMs }, of) => [names[of], ino, mtimeMs])
    }
    await run('kubectl', ['create', 'namespace', ELSEWHERE])
    await apply(NAMESPACE)
    await untilGenerated(NAMESPACE, 'True')
    const before = await filesAsWritten()
    await apply(ELSEWHERE)
    await untilGenerated(ELSEWHERE, 'False')
    const why = await generated(ELSEWHERE, 'message')
    const made = await at(ELSEWHERE, 'get', 'machines.vitistack.io', '-o', 'name')
    const meanwhile = await filesAsWritten()
    await remove(ELSEWHERE)
    const afterwards = await filesAsWritten()

    expect(why).toContain(`has the files of KubernetesCluster ${NAMESPACE}/simple-cluster`)
    expect(made.stdout.trim().split('\n')).toHaveLength(5)
    expect(before).toHaveLength(6)
    expect(meanwhile).toEqual(before)
    expect(afterwards).toEqual(before)

    await apply(ELSEWHERE)
    await untilGenerated(ELSEWHERE, 'False')
    await remove(NAMESPACE)
    await untilGenerated(ELSEWHERE, 'True')
    const file = join(folder, 'simple-cluster', 'simple-cluster-cp-0.yaml')
    expect(await readFile(file, 'utf8')).toContain(`namespace: ${ELSEWHERE}`)
    await remove(ELSEWHERE)
  })

  test('R19: with the operator stopped and the finalizer removed, Machines go with their cluster', async () => {
    await operator.stop()
    const patch = JSON.stringify({ metadata: { finalizers: [] } })
    await kubectl('patch', 'kubernetescluster', 'complex-cluster', '--type=merge', '-p', patch)
    await kubectl('delete', 'kubernetescluster', 'complex-cluster', '--wait=true')

    // A collector hears of kinds that are new to it twice a minute.
    const owned = 'cluster.vitistack.io/cluster-name=complex-cluster'
    await kubectl('wait', '--for=delete', 'machines.vitistack.io', '-l', owned, '--timeout=90s')
    expect(await machines('complex-cluster')).toEqual([])
  })
})
