// The values of the chart: what each means, what it takes, and what holds when nobody says anything. The defaults of the
// objects themselves are those of src/operator, which kustomize and `talos-operator manifests` have as well.

import { deploymentOf, IMAGE, METRICS_PORT, RESULTS_PATH } from '#operator/deployment.ts'
import { READERS, SCRAPING } from '#operator/metrics-objects.ts'
import { DASHBOARD_LABELS } from './monitoring.ts'

/** One value, or several under one name. */
export type ChartValues = { readonly [name: string]: ChartValue | ChartValues }

export interface ChartValue {
  usual: unknown
  /** What may be given, as JSON Schema has it. */
  takes: object
  /** Sentences. */
  meaning: string
}

const value = (usual: unknown, takes: object, meaning: string): ChartValue => ({
  ...{ usual, takes, meaning },
})

const text = { type: 'string' }
const perhapsText = { type: ['string', 'null'] }
const yesOrNo = { type: 'boolean' }
const port = { type: 'integer', minimum: 1, maximum: 65535 }
const map = { type: 'object' }
const texts = { type: 'object', additionalProperties: { type: 'string' } }
const list = { type: 'array', items: { type: 'object' } }
const variables = {
  type: 'array',
  items: {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, value: { type: 'string' } },
  },
}
const namespaces = {
  ...{ type: 'array', uniqueItems: true },
  items: { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 },
}
const kindNames = {
  ...{ type: 'array', uniqueItems: true },
  items: {
    type: 'string',
    pattern: '^([a-z0-9.-]+/)?v[0-9]+((alpha|beta)[0-9]+)?/[A-Z][A-Za-z0-9]*$',
  },
}

const { spec: pod } = deploymentOf({ namespace: '', namespaces: [] }).spec.template
const [container] = pod.containers
const { httpGet: _, ...liveness } = { httpGet: {}, ...container?.livenessProbe }
const { httpGet: __, ...readiness } = { httpGet: {}, ...container?.readinessProbe }

export const chartValues: ChartValues = {
  replicaCount: value(
    1,
    { type: 'integer', minimum: 0 },
    'How many pods. One of them works, the others stand by and take over within seconds.',
  ),
  image: {
    repository: value(IMAGE, text, 'Put your registry in front where the nodes need to be told.'),
    tag: value('', text, 'Empty: the version of the chart.'),
    digest: value('', text, 'As in `sha256:…`. It goes before the tag.'),
    pullPolicy: value(
      'IfNotPresent',
      { enum: ['Always', 'IfNotPresent', 'Never'] },
      'When the nodes fetch it.',
    ),
  },
  imagePullSecrets: value([], list, 'Secrets for that registry, as `- name: …`.'),
  nameOverride: value('', text, 'Instead of the name of the chart, in names and labels.'),
  fullnameOverride: value('', text, 'What the names of all objects begin with.'),

  watchNamespaces: value(
    [],
    namespaces,
    'The namespaces whose objects are managed; they have to be there. The operator then has a Role in each of them and none for ' +
      'the whole cluster. Empty: all namespaces, and a ClusterRole.',
  ),
  machineRefKinds: value(
    [],
    kindNames,
    'The kinds of objects that a machineRef may name, as `group/version/Kind`: the operator gets the permission to read and follow them.',
  ),
  logLevel: value(null, perhapsText, '`error`, `warn`, `info` or `debug`. Empty: `info`.'),
  logJson: value(
    null,
    { type: ['boolean', 'null'] },
    'One JSON object on each line, or text for people. Empty: JSON.',
  ),
  maxConcurrentReconciles: value(
    null,
    { type: ['integer', 'null'], minimum: 1 },
    'How many KubernetesClusters are worked on at once. Empty: one.',
  ),
  featureFlags: {
    enableMetaKey: value(
      true,
      yesOrNo,
      'Write the network of machines that have `machineSpec.meta` to their META partition.',
    ),
    enablePxeBootStack: value(false, yesOrNo, 'Without effect: PXE is not supported.'),
  },
  tracing: {
    enabled: value(false, yesOrNo, 'Send traces to an OpenTelemetry collector.'),
    otlpEndpoint: value(
      'otel-collector.tracing.svc.cluster.local:4318',
      text,
      'That collector, spoken to in OTLP over HTTP.',
    ),
  },
  extraArgs: value(
    [],
    { type: 'array', items: text },
    'Any other setting, as a flag of `talos-operator run`.',
  ),
  extraEnv: value(
    [],
    variables,
    'Environment variables. They go before what the chart sets itself. Refused are those of ports, namespaces, kinds of machineRefs ' +
      'and, with `tracing.enabled`, of tracing: what else there is follows from the values.',
  ),
  env: value([], variables, 'The same under its other published name. `extraEnv` goes before it.'),
  envFrom: value(
    [],
    list,
    'Environment variables from Secrets and ConfigMaps. What the chart sets itself goes before them.',
  ),

  resources: value(
    container?.resources,
    map,
    '100 clusters with 1,000 machines were measured below this limit; larger fleets need more. Of the limit, if it is in Mi or Gi, ' +
      'five eighths are given to the heap of Node.',
  ),
  metrics: {
    port: value(METRICS_PORT, port, 'Where `/metrics` is served in the pod.'),
    serviceMonitor: {
      enabled: value(false, yesOrNo, 'For the Prometheus operator, which has to be there.'),
      interval: value(SCRAPING.interval, text, 'How often it asks.'),
      scrapeTimeout: value(SCRAPING.scrapeTimeout, text, 'For how long it waits.'),
      labels: value({}, texts, 'By which it finds the ServiceMonitor.'),
    },
    prometheusRule: {
      enabled: value(false, yesOrNo, 'Alerts for the Prometheus operator, which has to be there.'),
      labels: value({}, texts, 'By which it finds the PrometheusRule.'),
    },
    dashboard: {
      enabled: value(false, yesOrNo, 'A ConfigMap with the dashboard, for the sidecar of Grafana.'),
      labels: value(DASHBOARD_LABELS, texts, 'By which it finds the ConfigMap.'),
      annotations: value({}, texts, 'Of the ConfigMap: its folder in Grafana, for one.'),
    },
  },
  service: {
    type: value(
      'ClusterIP',
      { enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] },
      'Of the Service in front of `/metrics`.',
    ),
    port: value(METRICS_PORT, port, 'Its port.'),
    annotations: value(
      {},
      texts,
      'Besides those that Prometheus can be set up to go by, which are there unless there is a ServiceMonitor.',
    ),
  },
  networkPolicy: {
    enabled: value(true, yesOrNo, 'Keep everyone from `/metrics` who is not named below.'),
    metricsFrom: value(
      READERS,
      list,
      'Who may read it, as NetworkPolicies have it. `kubectl label namespace monitoring metrics=enabled` is enough for these.',
    ),
  },
  probes: { port: value(8081, port, 'Where `/healthz` and `/readyz` are served in the pod.') },
  livenessProbe: value(liveness, map, 'Delays and numbers of tries. What is asked is not changed.'),
  readinessProbe: value(readiness, map, 'The same, of readiness.'),
  podDisruptionBudget: {
    enabled: value(true, yesOrNo, 'Where there is more than one pod.'),
    maxUnavailable: value(
      1,
      { type: ['integer', 'string'] },
      'How many may be evicted at once, as a number or a percentage.',
    ),
  },

  serviceAccount: {
    create: value(true, yesOrNo, 'Make the account that the operator runs as.'),
    automount: value(true, yesOrNo, 'Mount its token, without which the operator cannot work.'),
    annotations: value({}, texts, 'Of the account.'),
    name: value('', text, 'Empty: `<name>-controller-manager`, or `default` if none is made.'),
  },
  rbac: {
    create: value(true, yesOrNo, 'Give the account what the controllers declare that they need.'),
    leasesEverywhere: value(
      true,
      yesOrNo,
      'Also the published permission for Leases of all that is watched. The operator itself needs its own alone, which it always gets.',
    ),
    userRoles: value(
      true,
      yesOrNo,
      'ClusterRoles that people can be given, for each kind one to view, one to edit and one for administrators. None are made where ' +
        '`watchNamespaces` names any, nor without `rbac.create`.',
    ),
  },
  crds: {
    check: value(
      true,
      yesOrNo,
      'Refuse an upgrade that would delete the CRDs and with them all objects, because an older chart of this release had them. ' +
        'It asks for the CRDs; turn it off where you may not read them.',
    ),
  },

  results: {
    path: value(
      RESULTS_PATH,
      { type: 'string', pattern: '^/' },
      'Where the manifests of generated Machines are written to: a volume that is empty at the start. Everything else is read-only. ' +
        'It follows `RESULTS_PATH` in `extraEnv`.',
    ),
  },
  podAnnotations: value({}, texts, 'Of the pods.'),
  podLabels: value({}, texts, 'Of the pods.'),
  podSecurityContext: value(pod.securityContext, map, 'Of the pods.'),
  securityContext: value(container?.securityContext, map, 'Of the container.'),
  volumes: value([], list, 'More volumes.'),
  volumeMounts: value([], list, 'Where these are.'),
  nodeSelector: value({}, texts, 'On which nodes.'),
  tolerations: value([], list, 'On which nodes as well.'),
  affinity: value({}, map, 'On which nodes rather.'),
  topologySpreadConstraints: value([], list, 'How several pods are spread.'),
  priorityClassName: value('', text, 'How important the pods are.'),
  extraObjects: value([], list, 'Any other objects, which may be templates.'),
}
