import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apis, type RunningApi } from '#test/conformance/apis.ts'
import { type Run, userOf } from '#test/conformance/commands.ts'
import { until } from '#test/until.ts'

const NAMESPACE = 'talos-operator-system'
const CRD = 'talosclusters.talos.alperen.cloud'
const aCluster = JSON.stringify({
  ...{ apiVersion: 'talos.alperen.cloud/v1alpha1', kind: 'TalosCluster' },
  metadata: { name: 'prod' },
})

/** A chart as a published one is: its CRDs are objects like all others, and go with it. */
async function aPublishedChart(folder: string): Promise<string> {
  const chart = join(folder, 'talos-operator')
  await mkdir(join(chart, 'templates'), { recursive: true })
  await writeFile(
    join(chart, 'Chart.yaml'),
    'apiVersion: v2\nname: talos-operator\nversion: 0.0.1\n',
  )
  await copyFile(
    `config/crd/bases/talos.alperen.cloud_talosclusters.yaml`,
    join(chart, 'templates', 'crd.yaml'),
  )
  return chart
}

describe.each(apis)('a release of a chart that had the CRDs, on $name', ({ start }) => {
  let api: RunningApi
  let run: Run
  let folder: string
  beforeAll(async () => {
    api = await start()
    run = await userOf(api.kubeconfig)
    folder = await mkdtemp(join(tmpdir(), 'talos-operator-takeover-'))
    const chart = await aPublishedChart(folder)
    const there = ['--namespace', NAMESPACE, '--create-namespace']
    await run('helm', ['install', 'talos-operator', chart, ...there])
    const apply = () => run('kubectl', ['apply', '-f', '-'], aCluster)
    await until('a cluster', apply, ({ exitCode }) => exitCode === 0)
  })
  afterAll(async () => {
    await api?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  const upgrade = (...args: string[]) =>
    run('helm', [
      ...['upgrade', 'talos-operator', 'charts/talos-operator', '--namespace', NAMESPACE],
      ...args,
    ])
  const cluster = () => run('kubectl', ['get', 'tc', 'prod'])

  test('is not upgraded while that would delete all clusters', async () => {
    const { exitCode, stderr } = await upgrade()

    expect(exitCode).not.toBe(0)
    expect(stderr).toContain(`would delete the CRD ${CRD} and with it all its objects`)
    expect(stderr).toContain(`kubectl annotate crd ${CRD} helm.sh/resource-policy=keep`)
    expect(await cluster()).toMatchObject({ exitCode: 0 })
  })

  test('is upgraded when they are to be kept, and the clusters stay', async () => {
    await run('kubectl', ['annotate', 'crd', CRD, 'helm.sh/resource-policy=keep'])

    expect(await upgrade()).toMatchObject({ exitCode: 0 })

    expect(await cluster()).toMatchObject({ exitCode: 0 })
    const deployment = ['get', 'deployment', 'talos-operator', '--namespace', NAMESPACE]
    expect(await run('kubectl', deployment)).toMatchObject({ exitCode: 0 })
  })

  test('hands the CRDs over to the chart that has them here', async () => {
    const chart = ['install', 'talos-operator-crds', 'charts/talos-operator-crds']

    expect(await run('helm', [...chart, '--namespace', NAMESPACE])).not.toMatchObject({
      exitCode: 0,
    })
    expect(
      await run('helm', [...chart, '--namespace', NAMESPACE, '--take-ownership']),
    ).toMatchObject({ exitCode: 0 })

    expect(
      await run('helm', ['uninstall', 'talos-operator', '--namespace', NAMESPACE]),
    ).toMatchObject({ exitCode: 0 })
    expect(await cluster()).toMatchObject({ exitCode: 0 })
  })
})
