import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

// Both examples of the document, as they are, with kubectl: one life of two clusters.
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

  test.each([
    ['kubernetes-cluster-simple.yaml', 'simple-cluster', 5],
    ['kubernetes-cluster-multi-group.yaml', 'complex-cluster', 9],
  ])(
    'R62, R63, R64: %s, verbatim in a namespace of its own, has its Machines and files',
    async (file, name, count) => {
      const applied = await kubectl('apply', '-f', `examples/${file}`)
      await until(
        'its status',
        () => field(name, '.status.conditions[?(@.type=="FilesGenerated")].status'),
        (status) => status === 'True',
      )

      expect(applied.exitCode).toBe(0)
      const names = await machines(name)
      expect(names).toHaveLength(count)
      expect(await field(name, '.status.machineCount')).toBe(`${count}`)
      const files = (await readdir(join(folder, name))).filter((one) => !one.startsWith('.'))
      expect(files.sort()).toEqual(names.map((one) => `${one}.yaml`).sort())
    },
  )

  test('R3: its status is written apart from it, and changes no generation', async () => {
    expect(await field('simple-cluster', '.metadata.generation')).toBe('1')
    expect(await field('simple-cluster', '.status.observedGeneration')).toBe('1')
  })

  test('R31: every file is a manifest that the server accepts', async () => {
    const files = (await readdir(join(folder, 'simple-cluster'))).filter(
      (one) => !one.startsWith('.'),
    )
    for (const file of files) {
      const path = join(folder, 'simple-cluster', file)
      const { exitCode, stderr } = await kubectl(
        'apply',
        '--server-side',
        '--force-conflicts',
        '--dry-run=server',
        '--validate=strict',
        '-f',
        path,
      )

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
})
