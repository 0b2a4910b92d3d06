import { METRICS_PORT } from './deployment.ts'
import { LABELS, NAME, SELECTOR } from './names.ts'

const METRICS = `${NAME}-metrics`

/** Whose pods may read the metrics: those of namespaces with this label. */
export const READERS = [{ namespaceSelector: { matchLabels: { metrics: 'enabled' } } }]

/** How often Prometheus asks, and for how long it waits. */
export const SCRAPING = { interval: '30s', scrapeTimeout: '10s' }

/** Where Prometheus finds the metrics, told in the annotations that it can be set up to go by. */
export const scrapedEndpoint = (namespace: string) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    ...{ name: METRICS, namespace, labels: LABELS },
    annotations: {
      'prometheus.io/scrape': 'true',
      'prometheus.io/port': `${METRICS_PORT}`,
      'prometheus.io/path': '/metrics',
    },
  },
  spec: {
    type: 'ClusterIP',
    ports: [{ name: 'metrics', port: METRICS_PORT, targetPort: 'metrics' }],
    selector: SELECTOR,
  },
})

/** The same for the Prometheus operator, where there is one: elsewhere nobody knows this kind. */
export const scrapeMonitor = (namespace: string) => ({
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'ServiceMonitor',
  metadata: { name: NAME, namespace, labels: LABELS },
  spec: {
    endpoints: [{ port: 'metrics', path: '/metrics', ...SCRAPING }],
    selector: { matchLabels: SELECTOR },
  },
})

/**
 * Keeps everyone from the metrics who is not meant to read them: they are served without TLS and without asking who reads. Probes
 * are open, for not every network exempts the kubelet. What the operator itself calls is left alone: machines are anywhere.
 */
export const metricsPolicy = (namespace: string) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: METRICS, namespace, labels: LABELS },
  spec: {
    podSelector: { matchLabels: SELECTOR },
    policyTypes: ['Ingress'],
    ingress: [{ from: READERS, ports: [{ port: 'metrics' }] }, { ports: [{ port: 'probes' }] }],
  },
})
