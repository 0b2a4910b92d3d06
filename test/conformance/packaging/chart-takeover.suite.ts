import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
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

// What somebody has set for the published chart: its image has another program in it.
const SET_BEFORE = [
  ...['--set', 'image.repository=published.example/operator', '--set', 'image.tag=v0.5.4'],
  ...['--set', 'ui.enabled=true', '--set', 'env[0].name=LOG_LEVEL', '--set', 'env[0].value=debug'],
]
const OURS = ['--set', 'image.repository=registry.example/talos-operator', '--set', 'image.tag=v1']

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
    await run('helm', ['install', 'talos-operator', chart, ...there, ...SET_BEFORE])
    const apply = () => run('kubectl', ['apply', '-f', '-'], aCluster)
    await until('a cluster', apply, ({ exitCode }) => exitCode === 0)
  })
  afterAll(async () => {
    await api?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  const upgrade = () =>
    run('helm', [
      ...['upgrade', 'talos-operator', 'charts/talos-operator', '--namespace', NAMESPACE],
      ...['--reset-then-reuse-values', ...OURS],
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
  })

  test('has the image of ours then, and else what its user had set', async () => {
    const deployment = ['get', 'deployment', 'talos-operator', '--namespace', NAMESPACE]
    const { stdout } = await run('kubectl', [...deployment, '--output', 'json'])

    const [{ image, env }] = JSON.parse(stdout).spec.template.spec.containers
    expect(image).toBe('registry.example/talos-operator:v1')
    expect(env).toContainEqual({ name: 'LOG_LEVEL', value: 'debug' })
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

test('the guides upgrade a release of the published chart so, too', async () => {
  const pages = ['docs/guides/upgrading-the-operator.md', 'docs/differences.md']
  for (const page of pages) {
    const text = (await readFile(page, 'utf8')).replaceAll('\\\n', '')

    const commands = text.match(/^helm upgrade talos-operator .*$/gm) ?? []
    expect(commands, page).toHaveLength(1)
    for (const flag of ['--reset-then-reuse-values', 'image.repository=', 'image.tag='])
      expect(commands[0], page).toContain(flag)
  }
})
