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
    'Number of pods. One is active (leader election); the others stand by and take over within seconds.',
  ),
  image: {
    repository: value(
      IMAGE,
      text,
      'Repository of the image. No image is published under the default name: build one, and set your own repository.',
    ),
    tag: value('', text, 'Tag of the image. Empty: the version of the chart.'),
    digest: value(
      '',
      text,
      'Digest of the image, as in `sha256:…`. Takes precedence over the tag.',
    ),
    pullPolicy: value(
      'IfNotPresent',
      { enum: ['Always', 'IfNotPresent', 'Never'] },
      'Image pull policy.',
    ),
  },
  imagePullSecrets: value([], list, 'Image pull secrets, as `- name: …`.'),
  nameOverride: value('', text, 'Replaces the name of the chart in names and labels.'),
  fullnameOverride: value('', text, 'Replaces the prefix of the names of all objects.'),

  watchNamespaces: value(
    [],
    namespaces,
    'Namespaces whose objects the operator manages; they must exist. It then has a Role in each of them and no ClusterRole. ' +
      'Empty: all namespaces, with a ClusterRole.',
  ),
  machineRefKinds: value(
    [],
    kindNames,
    'Kinds that a machineRef may refer to, as `group/version/Kind`. The operator may get, list and watch their objects.',
  ),
  logLevel: value(
    null,
    perhapsText,
    'Log level: `error`, `warn`, `info` or `debug`. Empty: `info`.',
  ),
  logJson: value(
    null,
    { type: ['boolean', 'null'] },
    'Log format: JSON, one object per line, or text. Empty: JSON.',
  ),
  maxConcurrentReconciles: value(
    null,
    { type: ['integer', 'null'], minimum: 1 },
    'How many KubernetesClusters are reconciled concurrently. Empty: one.',
  ),
  featureFlags: {
    enableMetaKey: value(
      true,
      yesOrNo,
      'Write the network configuration of machines that have `machineSpec.meta` to their META partition.',
    ),
    enablePxeBootStack: value(false, yesOrNo, 'No effect: PXE is not supported.'),
  },
  tracing: {
    enabled: value(false, yesOrNo, 'Send traces to an OpenTelemetry collector.'),
    otlpEndpoint: value(
      'otel-collector.tracing.svc.cluster.local:4318',
      text,
      'OTLP/HTTP endpoint of the collector.',
    ),
  },
  extraArgs: value(
    [],
    { type: 'array', items: text },
    'Additional flags of `talos-operator run`, for settings that have no value of their own.',
  ),
  extraEnv: value(
    [],
    variables,
    'Additional environment variables. They take precedence over those that the chart sets. Variables for ports, namespaces, kinds of ' +
      'machineRefs and, with `tracing.enabled`, tracing are refused, because other objects follow from the values for these.',
  ),
  env: value(
    [],
    variables,
    'Another published name of `extraEnv`. `extraEnv` takes precedence over it.',
  ),
  envFrom: value(
    [],
    list,
    'Environment variables from Secrets and ConfigMaps. Those that the chart sets take precedence over them.',
  ),

  resources: value(
    container?.resources,
    map,
    'Resource requests and limits. 100 clusters with 1,000 machines were measured below this memory limit; larger fleets need more. ' +
      'Five eighths of a memory limit in Mi or Gi become the maximum heap size of Node.',
  ),
  metrics: {
    port: value(METRICS_PORT, port, 'Container port of `/metrics`.'),
    serviceMonitor: {
      enabled: value(
        false,
        yesOrNo,
        'Create a ServiceMonitor. Requires the CRDs of the Prometheus operator.',
      ),
      interval: value(SCRAPING.interval, text, 'Scrape interval.'),
      scrapeTimeout: value(SCRAPING.scrapeTimeout, text, 'Scrape timeout.'),
      labels: value({}, texts, 'Labels by which the Prometheus operator selects it.'),
    },
    prometheusRule: {
      enabled: value(
        false,
        yesOrNo,
        'Create a PrometheusRule with alerts. Requires the CRDs of the Prometheus operator.',
      ),
      labels: value({}, texts, 'Labels by which the Prometheus operator selects it.'),
    },
    dashboard: {
      enabled: value(
        false,
        yesOrNo,
        'Create a ConfigMap with the dashboard, for the sidecar of Grafana.',
      ),
      labels: value(DASHBOARD_LABELS, texts, 'Labels by which the sidecar finds the ConfigMap.'),
      annotations: value(
        {},
        texts,
        'Annotations of the ConfigMap, for example the folder in Grafana.',
      ),
    },
  },
  service: {
    type: value(
      'ClusterIP',
      { enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] },
      'Type of the Service for `/metrics`.',
    ),
    port: value(METRICS_PORT, port, 'Port of that Service.'),
    annotations: value(
      {},
      texts,
      'Additional annotations of that Service. Those of `prometheus.io` are set unless there is a ServiceMonitor.',
    ),
  },
  networkPolicy: {
    enabled: value(true, yesOrNo, 'Restrict access to `/metrics` with a NetworkPolicy.'),
    metricsFrom: value(
      READERS,
      list,
      'Who may read `/metrics`, as peers of a NetworkPolicy. By default, `kubectl label namespace monitoring metrics=enabled` admits a namespace.',
    ),
  },
  probes: { port: value(8081, port, 'Container port of `/healthz` and `/readyz`.') },
  livenessProbe: value(
    liveness,
    map,
    'Delays and thresholds of the liveness probe. Its request is fixed.',
  ),
  readinessProbe: value(
    readiness,
    map,
    'Delays and thresholds of the readiness probe. Its request is fixed.',
  ),
  podDisruptionBudget: {
    enabled: value(
      true,
      yesOrNo,
      'Create a PodDisruptionBudget if there is more than one pod. Unhealthy pods can always be evicted.',
    ),
    maxUnavailable: value(
      1,
      { type: ['integer', 'string'] },
      'How many pods may be unavailable because of evictions, as a number or a percentage.',
    ),
  },

  serviceAccount: {
    create: value(true, yesOrNo, 'Create the ServiceAccount of the operator.'),
    automount: value(true, yesOrNo, 'Mount its token. The operator does not work without it.'),
    annotations: value({}, texts, 'Annotations of the ServiceAccount.'),
    name: value(
      '',
      text,
      'Name of the ServiceAccount. Empty: `<name>-controller-manager`, or `default` if none is created.',
    ),
  },
  rbac: {
    create: value(
      true,
      yesOrNo,
      'Create the roles of the operator, and bind them to its ServiceAccount.',
    ),
    leasesEverywhere: value(
      true,
      yesOrNo,
      'Include the published rule that allows to create, update and delete Leases in every managed namespace. The operator does not ' +
        'need it, because it always has a Role for its own Lease: `false` is recommended.',
    ),
    userRoles: value(
      true,
      yesOrNo,
      'Create viewer, editor and admin ClusterRoles for each kind, which you can bind to people. None are created if `watchNamespaces` ' +
        'is set, or without `rbac.create`.',
    ),
  },
  crds: {
    check: value(
      true,
      yesOrNo,
      'Refuse an upgrade that would delete the CRDs, and with them all objects, because an earlier chart of this release contained them. ' +
        'The check reads the CRDs; turn it off if you may not read them.',
    ),
  },

  results: {
    path: value(
      RESULTS_PATH,
      { type: 'string', pattern: '^/' },
      'Directory for the manifests of generated Machines. An emptyDir is mounted there; all other paths are read-only. `RESULTS_PATH` in ' +
        '`extraEnv` takes precedence.',
    ),
  },
  podAnnotations: value({}, texts, 'Annotations of the pods.'),
  podLabels: value({}, texts, 'Labels of the pods.'),
  podSecurityContext: value(pod.securityContext, map, 'Security context of the pods.'),
  securityContext: value(container?.securityContext, map, 'Security context of the container.'),
  volumes: value([], list, 'Additional volumes of the pods.'),
  volumeMounts: value([], list, 'Additional volume mounts of the container.'),
  nodeSelector: value({}, texts, 'Node selector of the pods.'),
  tolerations: value([], list, 'Tolerations of the pods.'),
  affinity: value({}, map, 'Affinity of the pods.'),
  topologySpreadConstraints: value([], list, 'Topology spread constraints of the pods.'),
  priorityClassName: value('', text, 'Priority class of the pods.'),
  extraObjects: value([], list, 'Additional objects to create. They may be templates.'),
}
