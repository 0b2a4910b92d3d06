import type { Fields } from '#apiserver/objects.ts'
import { asking, type Case, type Subject } from '#test/conformance/apiserver/cases.ts'
import type { Stage } from '#test/conformance/apiserver/stage.ts'
import { at, listAt, textAt } from '#test/conformance/apiserver/values.ts'
import { configMap, configMapsOf, deployment, MERGE, pathIn, pod, uncontrolled } from './objects.ts'

const silent = { show: () => '' }

/** Creates an object of a built-in kind. Nothing is stored. */
const creating = (name: string, place: string, body: Fields): Case => {
  const [version = '', plural = ''] = place.split(' ')
  return asking(name, (stage) =>
    stage.post(
      `${pathIn(stage)(version, plural)}?dryRun=All`,
      { metadata: { name: 'a' }, ...body },
      { show: uncontrolled },
    ),
  )
}

const secret = (name: string, body: Fields): Case => creating(name, 'v1 secrets', body)

const secrets: Case[] = [
  secret('stringData becomes data', { stringData: { a: 'text' }, data: { b: 'Yg==' } }),
  secret('stringData wins over data', { stringData: { a: 'text' }, data: { a: 'Yg==' } }),
  secret('data that is no base64', { data: { a: '!!!' } }),
  secret('a bad key', { data: { 'a b': 'YQ==' } }),
  secret('a TLS Secret without its keys', { type: 'kubernetes.io/tls', data: {} }),
  secret('a TLS Secret', { type: 'kubernetes.io/tls', data: { 'tls.crt': '', 'tls.key': '' } }),
  secret('a Docker Secret without its key', { type: 'kubernetes.io/dockerconfigjson', data: {} }),
  secret('a Docker Secret with nonsense', {
    type: 'kubernetes.io/dockerconfigjson',
    stringData: { '.dockerconfigjson': 'x' },
  }),
  secret('a basic-auth Secret without its keys', { type: 'kubernetes.io/basic-auth' }),
  secret("a Secret of a type of one's own", { type: 'example.com/thing' }),
  asking('the type of a Secret cannot change', async (stage) => {
    const path = pathIn(stage)('v1', 'secrets')
    await stage.post(path, { metadata: { name: 'a' } }, silent)
    await stage.patch(`${path}/a`, { type: 'example.com/other' }, { contentType: MERGE })
  }),
  asking('an immutable Secret cannot change', async (stage) => {
    const path = pathIn(stage)('v1', 'secrets')
    await stage.post(
      path,
      { metadata: { name: 'a' }, immutable: true, data: { a: 'YQ==' } },
      silent,
    )
    await stage.patch(`${path}/a`, { data: { a: 'Yg==' } }, { contentType: MERGE })
    await stage.patch(`${path}/a`, { stringData: { b: 'x' } }, { contentType: MERGE })
    await stage.patch(`${path}/a`, { immutable: false }, { contentType: MERGE })
    await stage.patch(`${path}/a`, { metadata: { labels: { a: 'b' } } }, { contentType: MERGE })
  }),
  asking('an immutable ConfigMap cannot change', async (stage) => {
    await stage.post(
      configMapsOf(stage),
      configMap('a', { immutable: true, data: { a: '1' } }),
      silent,
    )
    await stage.patch(configMapsOf(stage, 'a'), { data: { a: '2' } }, { contentType: MERGE })
    await stage.patch(
      configMapsOf(stage, 'a'),
      { binaryData: { b: 'YQ==' } },
      { contentType: MERGE },
    )
    await stage.patch(configMapsOf(stage, 'a'), { immutable: null }, { contentType: MERGE })
    await stage.delete(configMapsOf(stage, 'a'))
  }),
  creating('a key in both parts of a ConfigMap', 'v1 configmaps', {
    data: { a: '1' },
    binaryData: { a: 'YQ==' },
  }),
  creating('bad base64 in a ConfigMap', 'v1 configmaps', { binaryData: { a: '!' } }),
]

const networks: Case[] = [
  creating('a Service gets an address and defaults', 'v1 services', {
    spec: { ports: [{ port: 80 }], selector: { a: 'b' } },
  }),
  creating('a headless Service', 'v1 services', {
    spec: { clusterIP: 'None', ports: [{ port: 80 }] },
  }),
  creating('a Service without ports', 'v1 services', { spec: {} }),
  creating('a Service with bad ports', 'v1 services', {
    spec: { ports: [{ port: 0 }, { port: 99_999, protocol: 'X', name: 'B' }] },
  }),
  creating('a Service with ports without names', 'v1 services', {
    spec: { ports: [{ port: 1 }, { port: 2 }] },
  }),
  creating('a Service of another name', 'v1 services', {
    spec: { type: 'ExternalName', externalName: 'example.com' },
  }),
  creating('a Service of an unknown type', 'v1 services', {
    spec: { type: 'X', ports: [{ port: 80 }] },
  }),
  asking('a Service keeps its address', async (stage) => {
    const path = pathIn(stage)('v1', 'services')
    await stage.post(path, { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } })
    await stage.put(`${path}/a`, { metadata: { name: 'a' }, spec: { ports: [{ port: 81 }] } })
    await stage.patch(`${path}/a`, { spec: { clusterIP: '10.96.255.254' } }, { contentType: MERGE })
  }),
  asking('a Service on the ports of nodes', async (stage) => {
    const path = pathIn(stage)('v1', 'services')
    await stage.post(path, {
      metadata: { name: 'a' },
      spec: { type: 'NodePort', ports: [{ port: 80 }] },
    })
    await stage.patch(`${path}/a`, { spec: { type: 'ClusterIP' } }, { contentType: MERGE })
  }),
  creating('an Ingress', 'networking.k8s.io/v1 ingresses', {
    spec: {
      rules: [
        {
          host: 'a.example.com',
          http: {
            paths: [
              {
                path: '/',
                pathType: 'Prefix',
                backend: { service: { name: 'a', port: { number: 80 } } },
              },
            ],
          },
        },
      ],
    },
  }),
  creating('an Ingress without a path type', 'networking.k8s.io/v1 ingresses', {
    spec: {
      rules: [
        {
          http: {
            paths: [{ path: '/', backend: { service: { name: 'a', port: { number: 80 } } } }],
          },
        },
      ],
    },
  }),
  creating('an Ingress without anything', 'networking.k8s.io/v1 ingresses', { spec: {} }),
  creating('a NetworkPolicy', 'networking.k8s.io/v1 networkpolicies', {
    spec: { podSelector: {}, ingress: [{}] },
  }),
]

const template = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'a', image: 'a' }] },
}
const jobTemplate = { spec: { ...template.spec, restartPolicy: 'Never' } }

const workloads: Case[] = [
  creating('a Deployment whose selector does not fit', 'apps/v1 deployments', {
    spec: { selector: { matchLabels: { b: 'c' } }, template },
  }),
  creating('a Deployment without a selector', 'apps/v1 deployments', { spec: { template } }),
  creating('a Deployment without containers', 'apps/v1 deployments', {
    spec: {
      selector: { matchLabels: { app: 'a' } },
      template: { ...template, spec: { containers: [] } },
    },
  }),
  creating('a Deployment with negative replicas', 'apps/v1 deployments', {
    spec: { replicas: -1, selector: { matchLabels: { app: 'a' } }, template },
  }),
  creating('a StatefulSet gets its defaults', 'apps/v1 statefulsets', {
    spec: { serviceName: 's', selector: { matchLabels: { app: 'a' } }, template },
  }),
  creating('a DaemonSet gets its defaults', 'apps/v1 daemonsets', {
    spec: { selector: { matchLabels: { app: 'a' } }, template },
  }),
  creating('a Job gets its defaults', 'batch/v1 jobs', {
    spec: {
      suspend: true,
      manualSelector: true,
      selector: { matchLabels: { app: 'a' } },
      template: { ...jobTemplate, metadata: template.metadata },
    },
  }),
  creating('a Job that always restarts', 'batch/v1 jobs', { spec: { template } }),
  creating('a CronJob gets its defaults', 'batch/v1 cronjobs', {
    spec: { schedule: '0 0 * * *', jobTemplate: { spec: { template: jobTemplate } } },
  }),
  creating('a CronJob with a bad schedule', 'batch/v1 cronjobs', {
    spec: { schedule: 'never', jobTemplate: { spec: { template: jobTemplate } } },
  }),
  creating('an autoscaler', 'autoscaling/v2 horizontalpodautoscalers', {
    spec: {
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
    },
  }),
  creating('a disruption budget', 'policy/v1 poddisruptionbudgets', {
    spec: { minAvailable: '50%', selector: { matchLabels: { app: 'a' } } },
  }),
  creating('a disruption budget of both kinds', 'policy/v1 poddisruptionbudgets', {
    spec: { minAvailable: 1, maxUnavailable: 1 },
  }),
  creating('a claim of a volume', 'v1 persistentvolumeclaims', {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  }),
  creating('a claim of a volume without a size', 'v1 persistentvolumeclaims', {
    spec: { accessModes: ['Sometimes'] },
  }),
  creating('a ServiceAccount', 'v1 serviceaccounts', { automountServiceAccountToken: false }),
  creating('limits', 'v1 limitranges', {
    spec: { limits: [{ type: 'Container', default: { cpu: '1' } }] },
  }),
  creating('a quota', 'v1 resourcequotas', { spec: { hard: { pods: '3' } } }),
  asking('quantities are written in one way', (stage) =>
    stage.post(
      `${pathIn(stage)('apps/v1', 'deployments')}?dryRun=All`,
      deployment('a', {
        template: {
          ...template,
          spec: {
            containers: [
              {
                name: 'a',
                image: 'a',
                resources: {
                  requests: { cpu: '0.5', memory: '1024Mi' },
                  limits: { cpu: '1000m', memory: '1e9' },
                },
              },
            ],
          },
        },
      }),
      { show: (body) => at(body, 'spec', 'template', 'spec', 'containers', 0, 'resources') },
    ),
  ),
  asking('a bad quantity is refused', (stage) =>
    stage.post(
      `${pathIn(stage)('apps/v1', 'deployments')}?dryRun=All`,
      deployment('a', {
        template: {
          ...template,
          spec: { containers: [{ name: 'a', image: 'a', resources: { limits: { cpu: 'much' } } }] },
        },
      }),
    ),
  ),
  asking('the selector of a Deployment cannot change', async (stage) => {
    const path = pathIn(stage)('apps/v1', 'deployments')
    await stage.post(path, deployment('a'), silent)
    await stage.patch(
      `${path}/a`,
      {
        spec: {
          selector: { matchLabels: { b: 'c' } },
          template: { metadata: { labels: { b: 'c' } } },
        },
      },
      { contentType: MERGE },
    )
  }),
  asking('the roles of the cluster that are always there', (stage) =>
    stage.get('/apis/rbac.authorization.k8s.io/v1/clusterroles/view', {
      show: (body) => [
        at(body, 'metadata', 'labels'),
        at(body, 'metadata', 'annotations'),
        at(body, 'aggregationRule'),
      ],
    }),
  ),
  asking('objects of the cluster', async (stage) => {
    for (const [path, body] of [
      ['/apis/scheduling.k8s.io/v1/priorityclasses', { value: 5 }],
      ['/apis/storage.k8s.io/v1/storageclasses', { provisioner: 'example.com/x' }],
      ['/apis/node.k8s.io/v1/runtimeclasses', { handler: 'x' }],
      ['/apis/networking.k8s.io/v1/ingressclasses', { spec: { controller: 'example.com/x' } }],
      ['/api/v1/nodes', {}],
      [
        '/api/v1/persistentvolumes',
        {
          spec: {
            capacity: { storage: '1Gi' },
            accessModes: ['ReadWriteOnce'],
            hostPath: { path: '/x' },
          },
        },
      ],
      ['/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', { webhooks: [] }],
      ['/apis/storage.k8s.io/v1/csidrivers', { spec: {} }],
    ] as const) {
      await stage.post(
        `${path}?dryRun=All`,
        { metadata: { name: stage.id }, ...body },
        { show: (made) => shown(made) },
      )
    }
  }),
]

const shown = (body: unknown): unknown => uncontrolled(body)

const happenings: Case[] = [
  asking('an Event is seen in both groups', async (stage) => {
    const paths = pathIn(stage)
    const involvedObject = {
      apiVersion: 'v1',
      kind: 'Namespace',
      name: stage.id,
      namespace: stage.id,
    }
    await stage.post(paths('v1', 'events'), {
      metadata: { name: 'a' },
      involvedObject,
      reason: 'Done',
      message: 'well',
      type: 'Normal',
      count: 2,
      source: { component: 'me' },
      firstTimestamp: '2001-01-01T00:00:00Z',
      lastTimestamp: '2001-01-01T00:00:01Z',
    })
    await stage.get(paths('events.k8s.io/v1', 'events', 'a'))
    await stage.post(paths('events.k8s.io/v1', 'events'), {
      metadata: { name: 'b' },
      regarding: involvedObject,
      reason: 'Done',
      note: 'well',
      type: 'Normal',
      eventTime: '2001-01-01T00:00:00.000000Z',
      reportingController: 'me',
      reportingInstance: 'here',
      action: 'Doing',
    })
    await stage.get(paths('v1', 'events', 'b'))
    await stage.get(
      `${paths('v1', 'events')}?fieldSelector=involvedObject.kind%3DNamespace,reason%3DDone`,
      { show: (body) => listAt(body, 'items').map((one) => textAt(one, 'metadata', 'name')) },
    )
  }),
  asking('bad Events are refused', async (stage) => {
    const paths = pathIn(stage)
    await stage.post(paths('v1', 'events'), {
      metadata: { name: 'a' },
      involvedObject: { kind: 'Pod', namespace: 'other' },
    })
    await stage.post(paths('events.k8s.io/v1', 'events'), { metadata: { name: 'a' } })
  }),
  asking('a Lease is taken over', async (stage) => {
    const path = pathIn(stage)('coordination.k8s.io/v1', 'leases')
    const spec = {
      holderIdentity: 'one',
      leaseDurationSeconds: 15,
      renewTime: '2001-01-01T00:00:00.000000Z',
      acquireTime: '2001-01-01T00:00:00.123456Z',
      leaseTransitions: 0,
    }
    const { body } = await stage.post(path, { metadata: { name: 'a' }, spec })
    await stage.put(`${path}/a`, {
      ...Object(body),
      spec: { ...spec, holderIdentity: 'two', leaseTransitions: 1 },
    })
    await stage.put(`${path}/a`, { ...Object(body), spec: { ...spec, holderIdentity: 'three' } })
    await stage.patch(`${path}/a`, { spec: { leaseDurationSeconds: 0 } }, { contentType: MERGE })
    await stage.patch(
      `${path}/a`,
      { spec: { renewTime: 'now' } },
      {
        contentType: MERGE,
        show: (got) => textAt(got, 'message').replace(/value: .*: parsing/, 'value: …: parsing'),
      },
    )
  }),
]

const podsOf = (stage: Stage, name?: string): string => pathIn(stage)('v1', 'pods', name)
const eviction = (name: string, rest: Fields = {}): Fields => ({
  apiVersion: 'policy/v1',
  kind: 'Eviction',
  metadata: { name },
  ...rest,
})
const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }

async function runningPod(stage: Stage): Promise<void> {
  await stage.until(
    pathIn(stage)('v1', 'serviceaccounts', 'default'),
    ({ status }) => status === 200,
    silent,
  )
  await stage.post(
    podsOf(stage),
    pod('a', { metadata: { name: 'a', labels: { app: 'a' } } }),
    silent,
  )
  await stage.patch(
    `${podsOf(stage, 'a')}/status`,
    { status: ready },
    { contentType: MERGE, ...silent },
  )
}

async function budget(stage: Stage, disruptionsAllowed: number): Promise<void> {
  const path = pathIn(stage)('policy/v1', 'poddisruptionbudgets')
  const minAvailable = disruptionsAllowed > 0 ? 0 : 1
  await stage.post(
    path,
    { metadata: { name: 'a' }, spec: { minAvailable, selector: { matchLabels: { app: 'a' } } } },
    silent,
  )
  const status = {
    currentHealthy: 1,
    desiredHealthy: minAvailable,
    disruptionsAllowed,
    expectedPods: 1,
    observedGeneration: 1,
  }
  // Whoever is first: the controller of a real cluster counts the same.
  await stage.patch(`${path}/a/status`, { status }, { contentType: MERGE, ...silent })
}

const pods: Case[] = [
  asking('a Pod gets its defaults', async (stage) => {
    await stage.until(
      pathIn(stage)('v1', 'serviceaccounts', 'default'),
      ({ status }) => status === 200,
      silent,
    )
    await stage.post(
      `${podsOf(stage)}?dryRun=All`,
      pod('a', {
        spec: { automountServiceAccountToken: false, containers: [{ name: 'main', image: 'a:1' }] },
      }),
    )
  }),
  asking('a Pod of a ServiceAccount that does not exist is refused', (stage) =>
    stage.post(
      podsOf(stage),
      pod('a', {
        spec: { serviceAccountName: 'none', containers: [{ name: 'main', image: 'a:1' }] },
      }),
    ),
  ),
  asking('a Pod is evicted', async (stage) => {
    await runningPod(stage)
    await stage.post(`${podsOf(stage, 'a')}/eviction`, eviction('a'))
    await stage.get(podsOf(stage, 'a'))
  }),
  asking('a budget forbids an eviction', async (stage) => {
    await runningPod(stage)
    await budget(stage, 0)
    await stage.post(`${podsOf(stage, 'a')}/eviction`, eviction('a'))
  }),
  asking('a budget allows an eviction', async (stage) => {
    await runningPod(stage)
    await budget(stage, 1)
    await stage.post(
      `${podsOf(stage, 'a')}/eviction`,
      eviction('a', { deleteOptions: { gracePeriodSeconds: 0 } }),
    )
    await stage.until(podsOf(stage, 'a'), ({ status }) => status === 404)
  }),
  asking('bad evictions are refused', async (stage) => {
    await stage.post(`${podsOf(stage, 'none')}/eviction`, eviction('none'))
    await runningPod(stage)
    await stage.post(`${podsOf(stage, 'a')}/eviction`, eviction('b'))
    await stage.get(`${podsOf(stage, 'a')}/eviction`)
    await stage.post(`${podsOf(stage, 'a')}/eviction?dryRun=All`, eviction('a'))
    await stage.post(`${podsOf(stage, 'a')}/eviction`, {})
  }),
]

export const builtInsCases: Subject = {
  subject: 'built-in kinds',
  cases: [...secrets, ...networks, ...workloads, ...happenings, ...pods],
}
