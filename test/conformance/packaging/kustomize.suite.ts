import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { kinds } from '#api/kinds.ts'
import { parseYaml } from '#base/yaml.ts'
import { apis } from '#test/conformance/apis.ts'
import { userOf } from '#test/conformance/commands.ts'
import { realPrograms } from '#test/conformance/programs/build.ts'
import { until } from '#test/until.ts'
import { installed, objectsIn } from './objects.ts'

const NAMESPACE = 'talos-operator-system'
const OPERATOR = `${NAMESPACE}/talos-operator`
const run = promisify(execFile)
const { kubectl } = await realPrograms(['kubectl'])

const build = async (folder: string): Promise<string> =>
  (await run(kubectl, ['kustomize', folder], { maxBuffer: 2 ** 26 })).stdout
const titles = async (folder: string) => [...objectsIn(await build(folder)).keys()].sort()

test('R54: config/default is what `talos-operator manifests` prints', async () => {
  const { stdout } = await run('bin/talos-operator', ['manifests', '--no-crds', '--operator'])

  expect(installed(await build('config/default'))).toEqual(installed(stdout))
})

test('config/default is put together from four folders, and has nothing that holds what users make', async () => {
  const parts = ['rbac', 'manager', 'prometheus', 'network-policy'].map((one) => `config/${one}`)
  const all = await titles('config/default')

  expect(all).toEqual((await Promise.all(parts.map(titles))).flat().sort())
  expect(all.filter((one) => /^(Namespace|CustomResourceDefinition) /.test(one))).toEqual([])
})

test('R55: config/prometheus says where metrics are, to all and to the Prometheus operator', async () => {
  const endpoint = objectsIn(await build('config/prometheus')).get(`Service ${OPERATOR}-metrics`)
  const monitor = objectsIn(await build('config/prometheus/monitor')).get(
    `ServiceMonitor ${OPERATOR}`,
  )
  const deployment = objectsIn(await build('config/manager')).get(`Deployment ${OPERATOR}`)

  expect(endpoint.metadata.annotations).toEqual({
    ...{ 'prometheus.io/scrape': 'true', 'prometheus.io/port': '8080' },
    'prometheus.io/path': '/metrics',
  })
  expect(monitor.spec.endpoints).toMatchObject([{ port: 'metrics', path: '/metrics' }])
  expect(endpoint.metadata.labels).toMatchObject(monitor.spec.selector.matchLabels)
  expect(endpoint.spec.ports).toMatchObject([
    { name: 'metrics', port: 8080, targetPort: 'metrics' },
  ])
  expect(deployment.spec.template.metadata.labels).toMatchObject(endpoint.spec.selector)
  expect(deployment.spec.template.spec.containers[0].ports).toContainEqual({
    ...{ name: 'metrics', containerPort: 8080 },
  })
})

test('config/prometheus has the same alerts and dashboard as the chart, apart from what every cluster takes', async () => {
  const inChart = (file: string) => readFile(`charts/talos-operator/files/${file}`, 'utf8')
  const rule = objectsIn(await build('config/prometheus/rules')).get(`PrometheusRule ${OPERATOR}`)
  const dashboard = objectsIn(await build('config/prometheus/dashboard')).get(
    `ConfigMap ${OPERATOR}-dashboard`,
  )

  expect(rule.spec).toEqual(parseYaml(await inChart('alerts.yaml')))
  expect(parseYaml(await readFile('config/prometheus/rules/alerts.yaml', 'utf8'))).toEqual(
    rule.spec,
  )
  expect(dashboard.metadata.labels).toMatchObject({ grafana_dashboard: '1' })
  expect(dashboard.data).toEqual({ 'talos-operator.json': await inChart('dashboard.json') })
  const usual = await titles('config/default')
  expect(usual.filter((one) => /^(PrometheusRule|ConfigMap) /.test(one))).toEqual([])
})

test('R55: config/network-policy keeps metrics from all but namespaces with a label', async () => {
  const policy = objectsIn(await build('config/network-policy')).get(
    `NetworkPolicy ${OPERATOR}-metrics`,
  )
  const deployment = objectsIn(await build('config/manager')).get(`Deployment ${OPERATOR}`)

  const { podSelector, policyTypes, ingress } = policy.spec
  expect(deployment.spec.template.metadata.labels).toMatchObject(podSelector.matchLabels)
  expect(policyTypes).toEqual(['Ingress'])
  expect(ingress).toEqual([
    {
      from: [{ namespaceSelector: { matchLabels: { metrics: 'enabled' } } }],
      ports: [{ port: 'metrics' }],
    },
    { ports: [{ port: 'probes' }] },
  ])
})

test('an overlay puts all of it into another namespace, with another image', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'talos-operator-overlay-'))
  const overlay = {
    namespace: 'elsewhere',
    resources: [relative(folder, resolve('config/default'))],
    images: [{ name: 'vitistack/talos-operator', newName: 'registry.example/mine', newTag: 'v9' }],
  }
  await writeFile(join(folder, 'kustomization.yaml'), JSON.stringify(overlay))

  const text = await build(folder).finally(() => rm(folder, { recursive: true }))
  expect(text).not.toContain(NAMESPACE)
  expect(text).toContain('image: registry.example/mine:v9')
  const { subjects } = objectsIn(text).get('ClusterRoleBinding talos-operator-manager-rolebinding')
  expect(subjects).toMatchObject([{ namespace: 'elsewhere' }])
})

describe.each(apis)('on $name', ({ start }) => {
  test('every sample is accepted, and every kind that people write has one', async () => {
    await using api = await start()
    const user = await userOf(api.kubeconfig)
    await user('kubectl', ['apply', '--server-side', '-k', 'config/crd'])

    const dryRun = ['apply', '--dry-run=server', '--validate=strict', '-k', 'config/samples']
    const { stdout } = await until(
      'the samples to be accepted',
      () => user('kubectl', dryRun),
      ({ exitCode }) => exitCode === 0,
    )

    const made = ['TalosMachine', 'Machine']
    const written = kinds.filter(({ kind }) => !made.includes(kind))
    const known = written.map(({ kind, group }) => `${kind.toLowerCase()}.${group}/`)
    expect(known.filter((name) => !stdout.includes(name))).toEqual([])
  })

  test('a ServiceMonitor is accepted where its kind is', async () => {
    await using api = await start()
    const user = await userOf(api.kubeconfig)
    await user('kubectl', ['create', 'namespace', NAMESPACE])
    await user('kubectl', ['apply', '-f', '-'], A_MONITOR_KIND)

    const applied = () => user('kubectl', ['apply', '-k', 'config/prometheus/monitor'])
    const { stdout } = await until('it', applied, ({ exitCode }) => exitCode === 0)

    expect(stdout).toContain('servicemonitor.monitoring.coreos.com/talos-operator created')
  })
})

// As much of it as an API needs to know.
const A_MONITOR_KIND = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'servicemonitors.monitoring.coreos.com' },
  spec: {
    ...{ group: 'monitoring.coreos.com', scope: 'Namespaced' },
    names: { kind: 'ServiceMonitor', plural: 'servicemonitors', singular: 'servicemonitor' },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true },
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    ],
  },
})
