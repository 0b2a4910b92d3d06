import packageFile from '#package.json' with { type: 'json' }
import { ACCOUNT, LABELS, NAME, SELECTOR } from './names.ts'
import type { Where } from './roles.ts'
import { kindName } from './settings-types.ts'

/** The image, without a registry: whoever copies it elsewhere puts that in front. */
export const IMAGE = 'vitistack/talos-operator'

/** Where the program is in that image. It starts Node with what `bin/lean-node` says. */
export const PROGRAM = '/app/bin/talos-operator'

/** The only folder that it writes to. */
export const RESULTS_PATH = '/var/lib/talos-operator/results'

export const METRICS_PORT = 8080
const PROBES_PORT = 8081

/** Published with the chart, and proven by `make bench`: 100 clusters of ten machines stay below. */
const MEMORY_MIB = 128

/**
 * Of eight parts of the memory, how many old objects may take: V8 then collects garbage before the kernel kills the process. The rest is
 * taken by the program itself, by what is young, and by what TLS keeps of each connection.
 */
const HEAP_EIGHTHS = 5

/** An operator that is to be installed. */
export interface Wanted extends Where {
  /** Left out: that of this version. */
  image?: string | undefined
}

/** The operator as a Deployment. Of several pods one works, and the others are ready to. */
export const deploymentOf = (wanted: Wanted) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: NAME, namespace: wanted.namespace, labels: LABELS },
  spec: {
    replicas: 1,
    selector: { matchLabels: SELECTOR },
    template: {
      metadata: { labels: LABELS },
      spec: {
        serviceAccountName: ACCOUNT,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [containerOf(wanted)],
        volumes: [{ name: 'results', emptyDir: {} }],
      },
    },
  },
})

const containerOf = (wanted: Wanted) => ({
  name: 'operator',
  image: wanted.image ?? `${IMAGE}:${packageFile.version}`,
  imagePullPolicy: 'IfNotPresent',
  command: [PROGRAM],
  args: argumentsFor(wanted),
  env: [
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    {
      name: 'NODE_OPTIONS',
      value: `--max-old-space-size=${(MEMORY_MIB * HEAP_EIGHTHS) / 8}`,
    },
    // Not flags: whoever adds variables to this list can say otherwise.
    { name: 'RESULTS_PATH', value: RESULTS_PATH },
    { name: 'ENABLE_META_KEY', value: 'true' },
  ],
  ports: [
    { name: 'metrics', containerPort: METRICS_PORT },
    { name: 'probes', containerPort: PROBES_PORT },
  ],
  livenessProbe: {
    httpGet: { path: '/healthz', port: 'probes' },
    ...{ initialDelaySeconds: 15, periodSeconds: 20 },
  },
  readinessProbe: {
    httpGet: { path: '/readyz', port: 'probes' },
    ...{ initialDelaySeconds: 2, periodSeconds: 10 },
  },
  resources: {
    limits: { cpu: '500m', memory: `${MEMORY_MIB}Mi` },
    requests: { cpu: '10m', memory: '64Mi' },
  },
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    readOnlyRootFilesystem: true,
    runAsGroup: 65532,
    runAsUser: 65532,
  },
  volumeMounts: [{ name: 'results', mountPath: RESULTS_PATH }],
})

const argumentsFor = ({ namespaces, machineRefKinds = [] }: Wanted): string[] => [
  'run',
  `--metrics-bind-address=:${METRICS_PORT}`,
  `--health-probe-bind-address=:${PROBES_PORT}`,
  ...(namespaces.length > 0 ? [`--namespaces=${namespaces.join(',')}`] : []),
  ...(machineRefKinds.length > 0
    ? [`--machine-ref-kinds=${machineRefKinds.map(kindName.show).join(',')}`]
    : []),
]
