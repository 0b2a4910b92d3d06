import { addressAt } from '#simulator/kubernetes/nodes/pod-ranges.ts'
import { accountWithRole } from './account-with-role.ts'
import type { Bootstrap, BootstrapObject } from './bootstrap.ts'

const LABELS = { 'k8s-app': 'kube-dns' }
const NAMED = { ...LABELS, 'kubernetes.io/name': 'CoreDNS' }

/** The names of services. */
export const coreDns = (bootstrap: Bootstrap): BootstrapObject[] => [
  ...accountWithRole('coredns', [
    {
      apiGroups: [''],
      resources: ['endpoints', 'services', 'pods', 'namespaces'],
      verbs: ['list', 'watch'],
    },
    { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch'] },
  ]),
  {
    id: { plural: 'configmaps', namespace: 'kube-system', name: 'coredns' },
    fields: { data: { Corefile: corefile(bootstrap.facts.dnsDomain) } },
  },
  deployment(bootstrap),
]

const corefile = (domain: string): string =>
  `.:53 {\n    kubernetes ${domain} in-addr.arpa ip6.arpa\n    forward . /etc/resolv.conf\n    cache 30\n}\n`

const deployment = ({ images }: Bootstrap): BootstrapObject => ({
  id: { plural: 'deployments', namespace: 'kube-system', name: 'coredns' },
  fields: {
    metadata: { labels: NAMED },
    spec: {
      replicas: 2,
      selector: { matchLabels: LABELS },
      strategy: { rollingUpdate: { maxUnavailable: 1 }, type: 'RollingUpdate' },
      template: {
        metadata: { labels: LABELS },
        spec: {
          containers: [
            {
              name: 'coredns',
              image: images.coreDns,
              args: ['-conf', '/etc/coredns/Corefile'],
              resources: { limits: { memory: '170Mi' }, requests: { cpu: '100m', memory: '70Mi' } },
              volumeMounts: [{ name: 'config-volume', mountPath: '/etc/coredns', readOnly: true }],
            },
          ],
          dnsPolicy: 'Default',
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          priorityClassName: 'system-cluster-critical',
          serviceAccountName: 'coredns',
          tolerations: [
            {
              effect: 'NoSchedule',
              key: 'node-role.kubernetes.io/control-plane',
              operator: 'Exists',
            },
            {
              effect: 'NoSchedule',
              key: 'node.cloudprovider.kubernetes.io/uninitialized',
              operator: 'Exists',
            },
          ],
          volumes: [
            {
              name: 'config-volume',
              configMap: { name: 'coredns', items: [{ key: 'Corefile', path: 'Corefile' }] },
            },
          ],
        },
      },
    },
  },
})

// Always the tenth address of the services.
const DNS_ADDRESS = 10

/** Where they are asked for. */
export function addressOfCoreDns({ facts }: Bootstrap): BootstrapObject[] {
  const address = addressAt(facts.serviceSubnets[0] ?? '', DNS_ADDRESS)
  // The API gives out addresses of its own range only.
  const isOwn = address?.startsWith('10.96.')
  return [
    {
      id: { plural: 'services', namespace: 'kube-system', name: 'kube-dns' },
      fields: {
        metadata: { labels: { ...NAMED, 'kubernetes.io/cluster-service': 'true' } },
        spec: {
          ...(isOwn && { clusterIP: address }),
          selector: LABELS,
          ports: [
            { name: 'dns', port: 53, protocol: 'UDP' },
            { name: 'dns-tcp', port: 53, protocol: 'TCP' },
            { name: 'metrics', port: 9153, protocol: 'TCP' },
          ],
        },
      },
    },
  ]
}
