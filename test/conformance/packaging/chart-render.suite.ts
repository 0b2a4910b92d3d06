import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseYaml, toYaml } from '#base/yaml.ts'
import packageFile from '#package.json' with { type: 'json' }
import { helm3, helm4 } from '#test/conformance/apiserver/helm-user.ts'
import { installed, objectsIn } from './objects.ts'

const CHART = 'charts/talos-operator'
const NAMESPACE = 'talos-operator-system'
const OPERATOR = `${NAMESPACE}/talos-operator`
// As odd as names of kinds are.
const KINDS = [
  ...['v1/Node', 'v1/Endpoints', 'metal.example/v1/Server', 'metal.example/v1/Proxy'],
  ...['metal.example/v1beta1/Switch', 'metal.example/v1/Box', 'bios.example/v1alpha1/Gateway'],
]

const run = promisify(execFile)

/** What the program itself prints for the same. */
const printed = async (...flags: string[]): Promise<string> =>
  (await run('bin/talos-operator', ['manifests', '--no-crds', '--operator', ...flags])).stdout

describe.each([helm4, helm3])('the chart, rendered by $name', ({ program }) => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'talos-operator-chart-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const render = async (values: object = {}, release = 'talos-operator'): Promise<string> => {
    const file = join(folder, 'values.yaml')
    await writeFile(file, toYaml(values))
    const args = ['template', release, CHART, '--namespace', NAMESPACE, '--values', file]
    return (await run(await program(), args)).stdout
  }
  const containerOf = async (values: object = {}) => {
    const deployment = objectsIn(await render(values)).get(`Deployment ${OPERATOR}`)
    return deployment.spec.template.spec.containers[0]
  }
  const titles = async (values: object, release?: string) => [
    ...objectsIn(await render(values, release)).keys(),
  ]

  test('passes Helm’s own judgement', async () => {
    const { stdout } = await run(await program(), ['lint', '--strict', CHART])

    expect(stdout).toContain('1 chart(s) linted, 0 chart(s) failed')
  })

  test('R52: has the published values and defaults', async () => {
    const deployment = objectsIn(await render()).get(`Deployment ${OPERATOR}`)

    expect(deployment.spec.replicas).toBe(1)
    expect(await containerOf()).toMatchObject({
      image: expect.stringMatching(/vitistack\/talos-operator:/),
      imagePullPolicy: 'IfNotPresent',
      resources: {
        limits: { cpu: '500m', memory: '128Mi' },
        requests: { cpu: '10m', memory: '64Mi' },
      },
    })
  })

  test('R52: each of them can be another', async () => {
    const resources = {
      limits: { cpu: '1', memory: '256Mi' },
      requests: { cpu: '20m', memory: '128Mi' },
    }
    const image = { repository: 'registry.example/mine', tag: 'v9', pullPolicy: 'Always' }
    const values = { image, replicaCount: 3, resources }

    const deployment = objectsIn(await render(values)).get(`Deployment ${OPERATOR}`)
    expect(deployment.spec.replicas).toBe(3)
    expect(await containerOf(values)).toMatchObject({
      ...{ image: 'registry.example/mine:v9', imagePullPolicy: 'Always', resources },
    })
  })

  test('A30: the tag of the image is the version of the chart, which is that of the program', async () => {
    const { stdout } = await run(await program(), ['show', 'chart', CHART])

    expect((await containerOf()).image.split(':').at(-1)).toBe(packageFile.version)
    expect(stdout).toContain(`\nversion: ${packageFile.version}`)
    expect(stdout).toContain(`appVersion: ${packageFile.version}`)
  })

  test('a digest goes before a tag', async () => {
    const { image } = await containerOf({ image: { tag: 'v9', digest: 'sha256:abc' } })

    expect(image).toBe('vitistack/talos-operator@sha256:abc')
  })

  test('as it is, it is what `talos-operator manifests` prints', async () => {
    expect(installed(await render())).toEqual(installed(await printed()))
  })

  test('for some namespaces and kinds it is what `talos-operator manifests` prints for these', async () => {
    const values = { watchNamespaces: ['team-a', 'team-b'], machineRefKinds: KINDS }
    const flags = ['--namespaces', 'team-a,team-b', '--machine-ref-kinds', KINDS.join(',')]

    expect(installed(await render(values))).toEqual(installed(await printed(...flags)))
    expect((await titles(values)).filter((title) => title.startsWith('Cluster'))).toEqual([])
  })

  test('A27: the published permission for all Leases can be left out, and its own stays', async () => {
    const objects = objectsIn(await render({ rbac: { leasesEverywhere: false } }))

    const leases = ({ rules }: { rules: { resources: string[] }[] }) =>
      rules.filter(({ resources }) => resources.includes('leases'))
    expect(leases(objects.get('ClusterRole talos-operator'))).toEqual([])
    expect(leases(objects.get(`Role ${OPERATOR}-leader-election`))).toHaveLength(1)
  })

  test('A35: it writes to a volume of its own, and the rest of its disk is read-only', async () => {
    const { env, volumeMounts, securityContext } = await containerOf({ results: { path: '/mnt' } })

    expect(env).toContainEqual({ name: 'RESULTS_PATH', value: '/mnt' })
    expect(volumeMounts).toEqual([{ name: 'results', mountPath: '/mnt' }])
    expect(securityContext.readOnlyRootFilesystem).toBe(true)
  })

  test.each(['env', 'extraEnv'])('its volume is where RESULTS_PATH of %s says', async (list) => {
    const { env, volumeMounts } = await containerOf({
      [list]: [{ name: 'RESULTS_PATH', value: '/elsewhere' }],
    })

    expect(env).toContainEqual({ name: 'RESULTS_PATH', value: '/elsewhere' })
    expect(volumeMounts).toEqual([{ name: 'results', mountPath: '/elsewhere' }])
  })

  test.each([
    ['128Mi', '80'],
    ['512Mi', '320'],
    ['2Gi', '1280'],
    ['1000M', undefined],
    [null, undefined],
  ])('A29: of a limit of %s, %s MiB are for the heap', async (memory, heap) => {
    const { env } = await containerOf({ resources: { limits: { memory } } })

    const found = env.find(({ name }: { name: string }) => name === 'NODE_OPTIONS')
    expect(found?.value).toBe(heap && `--max-old-space-size=${heap}`)
  })

  test('variables have both published names, each is there once, and extraEnv goes first', async () => {
    const { env } = await containerOf({
      logLevel: 'debug',
      env: [
        { name: 'LOG_LEVEL', value: 'warn' },
        { name: 'RECONCILE_INTERVAL', value: '1m' },
      ],
      extraEnv: [
        { name: 'LOG_LEVEL', value: 'error' },
        { name: 'NODE_OPTIONS', value: '--max-old-space-size=99' },
        { name: 'ENABLE_META_KEY', value: 'false' },
        { name: 'OTEL_EXPORTER_OTLP_ENDPOINT', value: 'http://collector:4318' },
      ],
    })

    expect(env).toEqual([
      { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'NODE_OPTIONS', value: '--max-old-space-size=99' },
      { name: 'RESULTS_PATH', value: '/var/lib/talos-operator/results' },
      { name: 'ENABLE_META_KEY', value: 'false' },
      { name: 'LOG_LEVEL', value: 'error' },
      { name: 'RECONCILE_INTERVAL', value: '1m' },
      { name: 'OTEL_EXPORTER_OTLP_ENDPOINT', value: 'http://collector:4318' },
    ])
  })

  test('settings become flags and variables', async () => {
    const { args, env } = await containerOf({
      ...{ logJson: false, maxConcurrentReconciles: 5, extraArgs: ['--concurrency=3'] },
      featureFlags: { enableMetaKey: false },
      tracing: { enabled: true, otlpEndpoint: 'http://collector:4318' },
      ...{ metrics: { port: 9090 }, probes: { port: 9091 } },
    })

    expect(args).toEqual([
      ...['run', '--metrics-bind-address=:9090', '--health-probe-bind-address=:9091'],
      ...['--enable-tracing=true', '--otlp-endpoint=http://collector:4318', '--concurrency=3'],
    ])
    expect(env.slice(3)).toEqual([
      { name: 'ENABLE_META_KEY', value: 'false' },
      { name: 'LOG_JSON', value: 'false' },
      { name: 'MAX_CONCURRENT_RECONCILES', value: '5' },
    ])
  })

  test.each([
    ['METRICS_BIND_ADDRESS', {}, 'metrics.port'],
    ['HEALTH_PROBE_BIND_ADDRESS', {}, 'probes.port'],
    ['WATCH_NAMESPACE', {}, 'watchNamespaces'],
    ['TALOS_OPERATOR_NAMESPACES', {}, 'watchNamespaces'],
    ['TALOS_OPERATOR_MACHINE_REF_KINDS', {}, 'machineRefKinds'],
    ['TALOS_OPERATOR_ENABLE_TRACING', { tracing: { enabled: true } }, 'tracing.enabled'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', { tracing: { enabled: true } }, 'tracing.otlpEndpoint'],
    ['RESULTS_PATH', {}, 'results.path'],
  ])(
    'the variable %s, which would not do what it says, is refused by name',
    async (name, more, value) => {
      for (const list of ['env', 'extraEnv']) {
        const refused = await render({ ...more, [list]: [{ name, value: 'x' }] }).then(
          () => '',
          ({ stderr }) => stderr,
        )

        expect(refused).toContain(`${name} in env or extraEnv`)
        expect(refused).toContain(value)
      }
    },
  )

  test('more pods than one have a disruption budget, unless told', async () => {
    const budget = `PodDisruptionBudget ${OPERATOR}`

    expect(await titles({})).not.toContain(budget)
    expect(objectsIn(await render({ replicaCount: 2 })).get(budget).spec).toMatchObject({
      ...{ maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
    })
    expect(
      await titles({ replicaCount: 2, podDisruptionBudget: { enabled: false } }),
    ).not.toContain(budget)
  })

  test('metrics are for those who are named, and for nobody where nobody is', async () => {
    const policyWith = async (metricsFrom: object[]) => {
      const objects = objectsIn(await render({ networkPolicy: { metricsFrom } }))
      return objects.get(`NetworkPolicy ${OPERATOR}-metrics`).spec.ingress
    }
    const someone = { podSelector: { matchLabels: { app: 'prometheus' } } }

    const forProbes = { ports: [{ port: 'probes' }] }
    expect(await policyWith([someone])).toEqual([
      { from: [someone], ports: [{ port: 'metrics' }] },
      forProbes,
    ])
    expect(await policyWith([])).toEqual([forProbes])
    expect(await titles({ networkPolicy: { enabled: false } })).not.toContain(
      `NetworkPolicy ${OPERATOR}-metrics`,
    )
  })

  test('Prometheus is told by annotations, or by a ServiceMonitor', async () => {
    const values = {
      metrics: { serviceMonitor: { enabled: true, interval: '1m', labels: { team: 'a' } } },
    }
    const [usual, monitored] = [objectsIn(await render()), objectsIn(await render(values))]

    const endpoint = `Service ${OPERATOR}-metrics`
    expect(usual.get(endpoint).metadata.annotations).toMatchObject({
      'prometheus.io/scrape': 'true',
    })
    expect(monitored.get(endpoint).metadata.annotations).toBeUndefined()
    expect(monitored.get(`ServiceMonitor ${OPERATOR}`)).toMatchObject({
      metadata: { labels: { team: 'a' } },
      spec: { endpoints: [{ port: 'metrics', interval: '1m', scrapeTimeout: '10s' }] },
    })
  })

  test('people can be given roles, where these are wanted and nobody is kept to some namespaces', async () => {
    const rolesWith = async (values: object, release?: string) =>
      (await titles(values, release)).filter((title) => title.endsWith('-role'))

    expect(await rolesWith({})).toHaveLength(30)
    expect(await rolesWith({}, 'other')).toContain(
      'ClusterRole other-talos-operator-taloscluster-viewer-role',
    )
    const without = [
      ...[{ rbac: { userRoles: false } }, { rbac: { create: false } }],
      { watchNamespaces: ['team-a'] },
    ]
    for (const values of without) expect(await rolesWith(values)).toEqual([])
  })

  test('alerts and the dashboard are there when they are asked for, as they are in the files', async () => {
    const wanted = {
      prometheusRule: { enabled: true, labels: { release: 'prometheus' } },
      dashboard: { enabled: true, annotations: { grafana_folder: 'Talos' } },
    }
    const objects = objectsIn(await render({ metrics: wanted }))

    const rule = objects.get(`PrometheusRule ${OPERATOR}`)
    expect(rule.metadata.labels).toMatchObject({ release: 'prometheus' })
    expect(rule.spec).toEqual(parseYaml(await readFile(`${CHART}/files/alerts.yaml`, 'utf8')))
    const dashboard = objects.get(`ConfigMap ${OPERATOR}-dashboard`)
    expect(dashboard.metadata).toMatchObject({
      ...{ labels: { grafana_dashboard: '1' }, annotations: { grafana_folder: 'Talos' } },
    })
    const file = await readFile(`${CHART}/files/dashboard.json`, 'utf8')
    expect(dashboard.data).toEqual({ 'talos-operator.json': file })
    const usual = (await titles({})).filter((title) => /^(PrometheusRule|ConfigMap) /.test(title))
    expect(usual).toEqual([])
  })

  test('probes get other delays, and never another address', async () => {
    const livenessProbe = { httpGet: { path: '/', port: 9993 }, failureThreshold: 9 }
    const container = await containerOf({ livenessProbe })

    expect(container.livenessProbe).toMatchObject({
      ...{ httpGet: { path: '/healthz', port: 'probes' }, failureThreshold: 9, periodSeconds: 20 },
    })
  })

  test('probes without settings are asked as often as Kubernetes has it', async () => {
    const none = { livenessProbe: null, readinessProbe: null }
    const { livenessProbe, readinessProbe } = await containerOf(none)

    expect(livenessProbe).toEqual({ httpGet: { path: '/healthz', port: 'probes' } })
    expect(readinessProbe).toEqual({ httpGet: { path: '/readyz', port: 'probes' } })
  })

  test('a release of another name has names of its own', async () => {
    expect(await titles({}, 'other')).toEqual(
      expect.arrayContaining([
        'ClusterRole other-talos-operator',
        'ClusterRoleBinding other-talos-operator-manager-rolebinding',
        `Deployment ${NAMESPACE}/other-talos-operator`,
        `ServiceAccount ${NAMESPACE}/other-talos-operator-controller-manager`,
      ]),
    )
  })

  test('an account of one’s own gets the roles, and no other is made', async () => {
    const account = { create: false, name: 'mine' }
    const objects = objectsIn(await render({ serviceAccount: account }))

    const subjects = [{ kind: 'ServiceAccount', name: 'mine', namespace: NAMESPACE }]
    expect(objects.get('ClusterRoleBinding talos-operator-manager-rolebinding')).toMatchObject({
      subjects,
    })
    expect([...objects.keys()].filter((title) => title.startsWith('ServiceAccount'))).toEqual([])
  })

  test.each([
    ['a value that nobody knows', { replicas: 3 }, 'replicas'],
    ['a value that is misspelt further in', { image: { repo: 'x' } }, 'repo'],
    ['a number of pods that is none', { replicaCount: 'many' }, 'replicaCount'],
    ['a namespace that is none', { watchNamespaces: ['Team A'] }, 'watchNamespaces'],
    ['a kind without a version', { machineRefKinds: ['Server'] }, 'machineRefKinds'],
    ['a relative folder', { results: { path: 'hack/results' } }, 'path'],
    ['a variable that is no text', { extraEnv: [{ name: 'A', value: 1 }] }, 'extraEnv'],
  ])('%s is refused', async (_, values, name) => {
    const refused = await render(values).then(
      () => '',
      ({ stderr }) => stderr,
    )

    expect(refused).toContain('schema')
    expect(refused).toContain(name)
  })

  test('the values of both published charts are accepted', async () => {
    const values = {
      ...{ installCRDs: true, ui: { enabled: true }, ingress: { enabled: false } },
      ...{ pxeBootStack: { ipxeBaseUrl: '' }, autoscaling: { enabled: false } },
      featureFlags: { enableMetaKey: true, enablePxeBootStack: false },
      ...{ endpointMode: 'none', talos: { version: 'v1.13.0' }, tenant: {}, secretPrefix: '' },
      ...{ imagePullSecrets: [{ name: 'mine' }], podAnnotations: { a: 'b' } },
      ...{ volumes: [{ name: 'v', emptyDir: {} }], envFrom: [{ secretRef: { name: 's' } }] },
      extraObjects: [
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '{{ .Release.Name }}-more' } },
      ],
    }

    expect(await titles(values)).toContain('ConfigMap talos-operator-more')
  })
})
