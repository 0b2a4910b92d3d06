import { always, few, oneOf, some, texts } from './parts.ts'
import type { Played } from './played.ts'

const env = some({ value: oneOf('1', '2') }, { name: oneOf('A', 'B', 'C') })
const containerPort = some(
  { name: oneOf('http', 'admin'), protocol: oneOf('TCP', 'UDP') },
  { containerPort: oneOf(80, 81, 82) },
)
const quantities = some({ cpu: oneOf('1', '500m', '0.5', 1), memory: oneOf('1Gi', '1024Mi') })

const container = some(
  {
    image: oneOf('a:1', 'a:2', 'a:latest'),
    env: few(env, ['name']),
    ports: few(containerPort, ['containerPort', 'protocol']),
    args: few(oneOf('x', 'y', 'z')),
    resources: some({ limits: quantities, requests: some({ cpu: oneOf('100m', '0.1') }) }),
    imagePullPolicy: oneOf('Always', 'IfNotPresent'),
    securityContext: some({
      runAsUser: oneOf(1, 2),
      capabilities: some({ add: few(oneOf('NET_ADMIN', 'SYS_TIME')) }),
    }),
    readinessProbe: some(
      { periodSeconds: oneOf(5, 10), failureThreshold: oneOf(2, 3) },
      { httpGet: some({ path: oneOf('/', '/a') }, { port: oneOf(80, 'http') }) },
    ),
  },
  { name: oneOf('a', 'b', 'c') },
)

const toleration = some(
  {
    effect: oneOf('NoSchedule', 'NoExecute'),
    operator: oneOf('Exists'),
  },
  { key: oneOf('k', 'l') },
)

const volume = some({ emptyDir: some({ medium: oneOf('Memory') }) }, { name: oneOf('v', 'w', 'x') })

const main = { name: 'main', image: 'a:1' }

const podSpec = {
  containers: few(container, ['name']),
  initContainers: few(container, ['name']),
  volumes: few(volume, ['name']),
  tolerations: few(toleration),
  nodeSelector: texts,
  imagePullSecrets: few(some({}, { name: oneOf('p', 'q') }), ['name']),
  hostAliases: few(some({ hostnames: few(oneOf('h', 'i')) }, { ip: oneOf('1.1.1.1', '2.2.2.2') }), [
    'ip',
  ]),
  terminationGracePeriodSeconds: oneOf(10, 30),
  dnsPolicy: oneOf('Default', 'ClusterFirst'),
  securityContext: some({ runAsUser: oneOf(1, 2), supplementalGroups: few(oneOf(1, 2, 3)) }),
}

const condition = (...types: string[]) =>
  some(
    { reason: oneOf('Because', 'Thus'), message: oneOf('so', 'thus') },
    { type: oneOf(...types), status: oneOf('True', 'False') },
  )

export const configMaps: Played = {
  kind: 'ConfigMap',
  versions: ['v1'],
  plural: 'configmaps',
  base: {},
  part: some({
    data: texts,
    binaryData: some({ x: oneOf('YQ==', 'Yg=='), y: oneOf('YQ==') }),
  }),
  isBuiltIn: true,
}

export const deployments: Played = {
  kind: 'Deployment',
  versions: ['apps/v1'],
  plural: 'deployments',
  base: {
    spec: {
      selector: { matchLabels: { app: 'a' } },
      template: { metadata: { labels: { app: 'a' } }, spec: { containers: [main] } },
    },
  },
  part: some(
    {},
    {
      spec: some({
        replicas: oneOf(0, 1, 2),
        paused: oneOf(true, false),
        minReadySeconds: oneOf(0, 5),
        revisionHistoryLimit: oneOf(3, 10),
        strategy: oneOf(
          { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } },
          { rollingUpdate: { maxUnavailable: '50%' } },
          { type: 'RollingUpdate' },
        ),
        template: some({
          metadata: some({ labels: some({}, { x: oneOf('1', '2') }), annotations: texts }),
          spec: some(podSpec),
        }),
      }),
    },
  ),
  status: some({
    replicas: oneOf(1, 2),
    readyReplicas: oneOf(0, 1),
    observedGeneration: oneOf(1, 2),
    conditions: few(condition('Available', 'Progressing'), ['type']),
  }),
  isBuiltIn: true,
}

const port = some(
  { targetPort: oneOf(80, 'http'), appProtocol: oneOf('http'), protocol: oneOf('TCP', 'UDP') },
  { port: oneOf(80, 81, 82), name: oneOf('a', 'b', 'c', 'd') },
)

export const services: Played = {
  kind: 'Service',
  versions: ['v1'],
  plural: 'services',
  base: { spec: { ports: [{ name: 'main', port: 8080 }] } },
  part: some(
    {},
    {
      spec: some({
        ports: few(port, ['port', 'protocol']),
        selector: texts,
        sessionAffinity: oneOf('None', 'ClientIP'),
        externalIPs: few(oneOf('1.1.1.1', '2.2.2.2')),
        publishNotReadyAddresses: oneOf(true, false),
        internalTrafficPolicy: oneOf('Local', 'Cluster'),
        type: oneOf('ClusterIP'),
      }),
    },
  ),
  status: some({
    loadBalancer: some({
      ingress: few(some({ hostname: oneOf('h.com') }, { ip: oneOf('1.1.1.1', '2.2.2.2') })),
    }),
    conditions: few(
      some(
        { observedGeneration: oneOf(1, 2) },
        {
          type: oneOf('Ready', 'Other'),
          status: oneOf('True', 'False'),
          reason: oneOf('Because'),
          message: oneOf('so', 'thus'),
          lastTransitionTime: always('2019-01-01T00:00:00Z'),
        },
      ),
      ['type'],
    ),
  }),
  isBuiltIn: true,
}

export const pods: Played = {
  kind: 'Pod',
  versions: ['v1'],
  plural: 'pods',
  base: { spec: { automountServiceAccountToken: false, containers: [main] } },
  part: some(
    {},
    {
      spec: some({
        tolerations: few(toleration),
        activeDeadlineSeconds: oneOf(100, 200),
        containers: few(some({ image: oneOf('a:1', 'a:2') }, { name: always('main') }), ['name']),
      }),
    },
  ),
  status: some({
    phase: oneOf('Pending', 'Running'),
    message: oneOf('so', 'thus'),
    conditions: few(condition('Ready', 'Other'), ['type']),
    podIPs: few(some({}, { ip: oneOf('1.1.1.1', 'fd00::1') }), ['ip']),
    startTime: always('2019-01-01T00:00:00Z'),
  }),
  isBuiltIn: true,
}
