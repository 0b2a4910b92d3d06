import type { Fields } from '#apiserver/objects.ts'
import { asking, type Case, type Subject } from '#test/conformance/apiserver/cases.ts'
import { definitionOf } from '#test/conformance/apiserver/shared-kinds.ts'
import type { Stage } from '#test/conformance/apiserver/stage.ts'
import { at, textAt } from '#test/conformance/apiserver/values.ts'
import {
  APPLY,
  configMap,
  configMapsOf,
  deployment,
  JSON_PATCH,
  MERGE,
  pathIn,
  pod,
  STRATEGIC,
  TABLE,
  uncontrolled,
  widget,
  widgetsOf,
} from './objects.ts'

const silent = { show: () => '' }
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

const kubectl: Case[] = [
  asking('kubectl apply creates, and patches what changed', async (stage) => {
    const path = pathIn(stage)('apps/v1', 'deployments')
    const query = 'fieldManager=kubectl-client-side-apply&fieldValidation=Strict'
    const annotated = (text: string) => ({
      ...deployment('a'),
      metadata: { name: 'a', namespace: stage.id, annotations: { [LAST_APPLIED]: text } },
    })
    await stage.post(`${path}?${query}`, annotated('{}'), { show: uncontrolled })
    const patch = {
      metadata: { annotations: { [LAST_APPLIED]: '{"changed":true}' } },
      spec: {
        template: {
          spec: {
            $setElementOrder: undefined,
            '$setElementOrder/containers': [{ name: 'main' }],
            containers: [{ name: 'main', image: 'a:2', env: [{ name: 'A', value: '1' }] }],
          },
        },
      },
    }
    await stage.patch(`${path}/a?${query}`, patch, { contentType: STRATEGIC, show: uncontrolled })
  }),
  asking('kubectl apply --server-side takes over from kubectl apply', async (stage) => {
    const path = configMapsOf(stage, 'a')
    await stage.post(
      `${configMapsOf(stage)}?fieldManager=kubectl-client-side-apply`,
      configMap('a', {
        metadata: { name: 'a', annotations: { [LAST_APPLIED]: '{}' } },
        data: { a: '1', b: '1' },
      }),
      silent,
    )
    await stage.patch(
      `${path}?fieldManager=kubectl&fieldValidation=Strict&force=false`,
      configMap('a', { data: { a: '1' } }),
      { contentType: APPLY },
    )
    await stage.patch(
      `${path}?fieldManager=kubectl&force=true`,
      configMap('a', { data: { a: '2' } }),
      { contentType: APPLY },
    )
  }),
  asking('kubectl label, annotate and replace', async (stage) => {
    await stage.post(`${configMapsOf(stage)}?fieldManager=kubectl-create`, configMap('a'), silent)
    await stage.patch(
      `${configMapsOf(stage, 'a')}?fieldManager=kubectl-label`,
      { metadata: { labels: { a: 'b' } } },
      { contentType: MERGE },
    )
    await stage.patch(
      `${configMapsOf(stage, 'a')}?fieldManager=kubectl-annotate`,
      { metadata: { annotations: { a: 'b' } } },
      { contentType: MERGE },
    )
    await stage.put(
      `${configMapsOf(stage, 'a')}?fieldManager=kubectl-replace&fieldValidation=Strict`,
      configMap('a', { data: { a: 'b' } }),
    )
  }),
  asking('kubectl scale', async (stage) => {
    await stage.post(widgetsOf(stage), widget(stage, 'a', { replicas: 1 }), silent)
    const { body } = await stage.get(`${widgetsOf(stage, 'a')}/scale`)
    await stage.put(`${widgetsOf(stage, 'a')}/scale`, { ...Object(body), spec: { replicas: 4 } })
  }),
  asking('kubectl delete asks for the background', async (stage) => {
    await stage.post(configMapsOf(stage), configMap('a'), silent)
    await stage.delete(configMapsOf(stage, 'a'), { propagationPolicy: 'Background' })
  }),
  asking('kubectl get asks for a table, or else JSON', async (stage) => {
    const accept = `${TABLE},application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json`
    await stage.post(widgetsOf(stage), widget(stage, 'a'), silent)
    await stage.get(`${widgetsOf(stage)}?limit=500`, {
      accept,
      show: (body) => [at(body, 'kind'), at(body, 'apiVersion')],
    })
    await stage.get('/version?timeout=32s', {
      accept: 'application/json, */*',
      show: (body) => typeof body,
    })
  }),
  asking('kubectl cordons, taints and drains a node', async (stage) => {
    const path = `/api/v1/nodes/${stage.id}`
    const show = (body: unknown) => [at(body, 'kind'), at(body, 'spec', 'unschedulable') ?? false]
    await stage.post('/api/v1/nodes', { metadata: { name: stage.id } }, { show })
    await stage.patch(path, { spec: { unschedulable: true } }, { contentType: STRATEGIC, show })
    await stage.patch(path, { spec: { unschedulable: null } }, { contentType: STRATEGIC, show })
    await stage.patch(
      path,
      { spec: { taints: [{ key: 'a', effect: 'Never' }] } },
      { contentType: MERGE },
    )
    await stage.patch(
      `${path}/status`,
      { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
      { contentType: STRATEGIC, show: (body) => at(body, 'kind') },
    )
    await stage.delete(path, undefined, { show: (body) => at(body, 'kind') })
  }),
]

const agents: Case[] = [
  asking('the owner of fields is named after the client', async (stage) => {
    const owner = (body: unknown) => at(body, 'metadata', 'managedFields', 0, 'manager') ?? body
    for (const [index, agent] of [
      'kubectl/v1.36.4 (linux/amd64) kubernetes/abc',
      'helm',
      'a b/c',
      '/x',
      'x'.repeat(200),
    ].entries()) {
      await stage.post(configMapsOf(stage), configMap(`a${index}`, { data: { a: '1' } }), {
        headers: { 'user-agent': agent },
        show: owner,
      })
    }
    await stage.post(
      `${configMapsOf(stage)}?fieldManager=me`,
      configMap('me', { data: { a: '1' } }),
      { show: owner },
    )
  }),
  asking('a timeout can be asked for', async (stage) => {
    await stage.post(`${configMapsOf(stage)}?timeout=10s`, configMap('a'), silent)
    await stage.get(`${configMapsOf(stage, 'a')}?timeout=1m`, silent)
    await stage.get(`${configMapsOf(stage, 'a')}?timeout=nonsense`)
    await stage.get(`${configMapsOf(stage, 'a')}?timeout=0`, { show: (body) => at(body, 'kind') })
  }),
  asking('names are read from escaped paths', async (stage) => {
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
    const show = (body: unknown) => at(body, 'metadata', 'name') ?? body
    await stage.get(`${roles}/system%3Adiscovery`, { show })
    await stage.get(`${roles}/system:discovery`, { show })
    await stage.get(`${roles}/%`, { show: (body) => typeof body })
    await stage.get(`/${configMapsOf(stage)}`, { show: (body) => typeof body })
  }),
  asking('numbers keep their digits', (stage) =>
    keepingDigits(
      stage,
      '{"int64":9007199254740991,"raw":{"one":1.0,"thousand":1e3,"small":1e-7,"fraction":0.1}}',
    ),
  ),
  asking(
    'large whole numbers keep their digits',
    (stage) => keepingDigits(stage, '{"int64":9007199254740993,"raw":{"big":9223372036854775807}}'),
    { differs: 'Whole numbers beyond 2^53 are kept as the nearest double: they lose digits.' },
  ),
]

/** Creates a widget of which every digit counts. */
async function keepingDigits(stage: Stage, spec: string): Promise<void> {
  const text = `{"apiVersion":"${stage.group}/v1","kind":"Widget","metadata":{"name":"a"},"spec":${spec}}`
  const { text: created } = await stage.post(widgetsOf(stage), undefined, { text, ...silent })
  const digits = (all: string) =>
    [...all.matchAll(/"(int64|big|one|thousand|small|fraction)":([^,}]+)/g)]
      .map((found) => found[0])
      .sort()
  stage.note('when created', digits(created))
  const { text: read } = await stage.get(widgetsOf(stage, 'a'), silent)
  stage.note('when read', digits(read))
}

const applying = (stage: Stage, path: string, body: Fields) =>
  stage.patch(`${path}?fieldManager=flux&force=true`, body, {
    contentType: APPLY,
    show: uncontrolled,
  })

const named = (apiVersion: string, kind: string, rest: Fields): Fields => ({
  apiVersion,
  kind,
  metadata: { name: 'a' },
  ...rest,
})

/** Applies an object of a built-in kind, and once more with a change. */
const twice = (kind: string, place: string, [first, second]: [Fields, Fields]): Case => {
  const [version = '', plural = ''] = place.split(' ')
  return asking(`a ${kind} is applied, and changed`, async (stage) => {
    const path = pathIn(stage)(version, plural, 'a')
    await applying(stage, path, named(version, kind, first))
    await applying(stage, path, named(version, kind, second))
  })
}

const template = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'a', image: 'a' }] },
}
const backend = { service: { name: 'a', port: { number: 80 } } }

const deploying: Case[] = [
  twice('Secret', 'v1 secrets', [{ stringData: { a: '1' } }, { data: { a: 'Yg==' } }]),
  twice('Service', 'v1 services', [
    { spec: { ports: [{ port: 80 }] } },
    {
      spec: {
        ports: [
          { port: 80, targetPort: 'x' },
          { port: 81, name: 'b' },
        ],
      },
    },
  ]),
  twice('ServiceAccount', 'v1 serviceaccounts', [
    { imagePullSecrets: [{ name: 'a' }] },
    { imagePullSecrets: [{ name: 'b' }] },
  ]),
  twice('Role', 'rbac.authorization.k8s.io/v1 roles', [
    { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
    { rules: [] },
  ]),
  twice('StatefulSet', 'apps/v1 statefulsets', [
    { spec: { replicas: 0, serviceName: 's', selector: { matchLabels: { app: 'a' } }, template } },
    {
      spec: {
        replicas: 0,
        serviceName: 's',
        selector: { matchLabels: { app: 'a' } },
        template: { ...template, metadata: { labels: { app: 'a', b: 'c' } } },
      },
    },
  ]),
  twice('Ingress', 'networking.k8s.io/v1 ingresses', [
    { spec: { defaultBackend: backend } },
    {
      spec: {
        rules: [
          { host: 'a.example.com', http: { paths: [{ path: '/', pathType: 'Exact', backend }] } },
        ],
      },
    },
  ]),
  twice('NetworkPolicy', 'networking.k8s.io/v1 networkpolicies', [
    { spec: { podSelector: {} } },
    { spec: { podSelector: { matchLabels: { a: 'b' } }, egress: [{}], policyTypes: ['Egress'] } },
  ]),
  twice('Lease', 'coordination.k8s.io/v1 leases', [
    { spec: { holderIdentity: 'a' } },
    { spec: { holderIdentity: 'b' } },
  ]),
  twice('CronJob', 'batch/v1 cronjobs', [
    {
      spec: {
        schedule: '0 0 1 1 *',
        suspend: true,
        jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
      },
    },
    {
      spec: {
        schedule: '0 0 2 1 *',
        suspend: true,
        jobTemplate: {
          spec: { template: { spec: { ...template.spec, restartPolicy: 'OnFailure' } } },
        },
      },
    },
  ]),
  asking('a definition is applied', async (stage) => {
    const group = `${stage.id}.example.org`
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.${group}?fieldManager=argo&dryRun=All`
    await stage.patch(
      path,
      definitionOf(group, 'Thing', {
        spec: {
          type: 'object',
          properties: {
            spec: { type: 'object', properties: { a: { type: 'string', default: 'x' } } },
          },
        },
      }),
      { contentType: APPLY },
    )
  }),
  asking('a namespace is applied', (stage) =>
    stage.patch(
      `/api/v1/namespaces/${stage.id}?fieldManager=argo`,
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: stage.id, labels: { a: 'b' } } },
      {
        contentType: APPLY,
        show: (body) => ({ kind: 'Namespace', metadata: at(body, 'metadata') }),
      },
    ),
  ),
  asking('helm keeps its releases in Secrets that it finds by labels', async (stage) => {
    const path = pathIn(stage)('v1', 'secrets')
    const labels = (status: string) => ({ name: 'app', owner: 'helm', status, version: '1' })
    const secret = (status: string) => ({
      metadata: { name: 'sh.helm.release.v1.app.v1', labels: labels(status) },
      type: 'helm.sh/release.v1',
      data: { release: 'YQ==' },
    })
    await stage.post(path, secret('pending-install'))
    await stage.put(`${path}/sh.helm.release.v1.app.v1`, secret('deployed'))
    await stage.get(`${path}?labelSelector=name%3Dapp%2Cowner%3Dhelm%2Cstatus%3Ddeployed`)
    await stage.delete(`${path}/sh.helm.release.v1.app.v1`)
  }),
  asking('a finalizer is added by a JSON patch that tests first', async (stage) => {
    const { body } = await stage.post(widgetsOf(stage), widget(stage, 'a'), silent)
    const test = {
      op: 'test',
      path: '/metadata/resourceVersion',
      value: textAt(body, 'metadata', 'resourceVersion'),
    }
    const patch = [test, { op: 'add', path: '/metadata/finalizers', value: ['example.com/a'] }]
    await stage.patch(widgetsOf(stage, 'a'), patch, { contentType: JSON_PATCH })
    await stage.patch(widgetsOf(stage, 'a'), patch, { contentType: JSON_PATCH })
    await stage.patch(widgetsOf(stage, 'a'), [{ op: 'remove', path: '/metadata/finalizers' }], {
      contentType: JSON_PATCH,
    })
  }),
]

/** A quota is known to be there a moment before it is asked. */
/** Asks a thousand times, and no more: where quotas are not enforced nothing is ever refused. */
async function untilRefused(stage: Stage, path: string): Promise<void> {
  for (let count = 0; count < 1000; count += 1) {
    const body = { metadata: { name: 'probe' } }
    const { status } = await stage.quietly({ method: 'POST', path: `${path}?dryRun=All`, body })
    if (status === 403) return
  }
}

const admitted: Case[] = [
  asking('a Pod gets the token of its ServiceAccount', async (stage) => {
    await stage.until(
      pathIn(stage)('v1', 'serviceaccounts', 'default'),
      ({ status }) => status === 200,
      silent,
    )
    const show = (body: unknown) =>
      JSON.parse(
        JSON.stringify([
          at(body, 'spec', 'volumes'),
          at(body, 'spec', 'containers', 0, 'volumeMounts'),
        ]).replaceAll(/kube-api-access-\w{5}/g, 'kube-api-access-<suffix>'),
      )
    await stage.post(`${pathIn(stage)('v1', 'pods')}?dryRun=All`, pod('a'), { show })
  }),
  asking(
    'a quota limits how many objects there are',
    async (stage) => {
      const paths = pathIn(stage)
      await stage.post(
        paths('v1', 'resourcequotas'),
        { metadata: { name: 'a' }, spec: { hard: { secrets: '0' } } },
        silent,
      )
      await untilRefused(stage, paths('v1', 'secrets'))
      await stage.post(paths('v1', 'secrets'), { metadata: { name: 'a' } })
    },
    { differs: 'Quotas are kept and shown, but nothing counts what they limit.' },
  ),
  asking('a class of priorities is looked up', async (stage) => {
    await stage.until(
      pathIn(stage)('v1', 'serviceaccounts', 'default'),
      ({ status }) => status === 200,
      silent,
    )
    const spec = (priorityClassName: string) => ({
      priorityClassName,
      automountServiceAccountToken: false,
      containers: [{ name: 'a', image: 'a' }],
    })
    const show = (body: unknown) =>
      [at(body, 'spec', 'priority'), at(body, 'message')].filter((one) => one !== undefined)
    await stage.post(
      `${pathIn(stage)('v1', 'pods')}?dryRun=All`,
      pod('a', { spec: spec('none') }),
      { show },
    )
    await stage.post(
      `${pathIn(stage)('v1', 'pods')}?dryRun=All`,
      pod('a', { spec: spec('system-node-critical') }),
      { show },
    )
  }),
  asking('a request for a certificate', async (stage) => {
    const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
    const spec = { request: 'bm90aGluZw==', signerName: 'example.com/a', usages: ['client auth'] }
    await stage.post(path, { metadata: { name: stage.id }, spec })
    await stage.post(path, { metadata: { name: stage.id }, spec: {} })
    await stage.get(`${path}/${stage.id}`)
  }),
]

export const clientsCases: Subject = {
  subject: 'clients',
  cases: [...kubectl, ...agents, ...deploying, ...admitted],
}
