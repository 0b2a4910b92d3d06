import type { Ignored, Publisher } from './settings-declare.ts'
import { type ValueType, yesOrNo } from './settings-types.ts'

const PLAIN_METRICS =
  '`/metrics` is served without TLS and without asking who reads it. ' +
  'Keep others away with a NetworkPolicy or with --metrics-bind-address=127.0.0.1:8080'
const NO_WEBHOOKS = 'there are no webhooks'
const NO_CERTIFICATE = '`/metrics` is served without TLS'
const IN_PROCESS = 'Kubernetes is upgraded by this process and not by a Job'
const NO_PXE = 'booting machines over the network (PXE) is not supported'
const LOG_IS_FIXED = 'the lines of the log have one form, which --log-format chooses'
const CLUSTER_SAYS = 'every KubernetesCluster says it for itself, in its spec'
const PROVIDER_SAYS = 'machines are made by their provider, from the machineTemplate'
const NOT_LOOKED_FOR = 'machines that drift from what is declared are not looked for'
const NOTHING_FROM_OUTSIDE = 'a cluster is made of what its own spec names, and of nothing else'

/** True would promise a protection that is not there, so it is refused and not ignored. */
const onlyFalse: ValueType<unknown> = {
  ...yesOrNo,
  takes: '`false`, or leave it out',
  parse: (given) => {
    if (yesOrNo.parse(given)) throw new Error(PLAIN_METRICS)
  },
}

const bothPublish = (name: string, rest: Omit<Ignored, 'name' | 'published'>): Ignored => ({
  name,
  published: ['talos.alperen.cloud', 'vitistack.io'],
  ...rest,
})

const publishedBy =
  (publisher: Publisher) =>
  (name: string, meaning: string, because: string): Ignored => ({
    name,
    meaning,
    because,
    published: [publisher],
  })

const talos = publishedBy('talos.alperen.cloud')
const vitistack = publishedBy('vitistack.io')

/** What published operators take and this one has no use for. Whoever sets it is told so once. */
export const ignoredTable: readonly Ignored[] = [
  bothPublish('--leader-elect', {
    meaning: 'Let only one of several processes work.',
    because: 'leader election is always on',
    type: yesOrNo,
    asksFor: (text) => !yesOrNo.parse(text),
  }),
  bothPublish('--metrics-secure', {
    meaning: 'Serve metrics over HTTPS, to those whom the Kubernetes API knows.',
    because: `only \`false\` is accepted: ${PLAIN_METRICS}`,
    type: onlyFalse,
    asksFor: () => false,
  }),
  bothPublish('--enable-http2', {
    meaning: 'HTTP/2 for metrics and webhooks.',
    because: 'metrics and probes are served over HTTP/1.1',
    type: yesOrNo,
    asksFor: (text) => yesOrNo.parse(text),
  }),
  bothPublish('--zap-stacktrace-level', {
    meaning: 'The level from which lines carry a stack.',
    because: LOG_IS_FIXED,
  }),
  bothPublish('--zap-time-encoding', { meaning: 'How times are written.', because: LOG_IS_FIXED }),
  vitistack('--metrics-cert-path', 'Folder of the certificate for metrics.', NO_CERTIFICATE),
  vitistack('--metrics-cert-name', 'File of the certificate for metrics.', NO_CERTIFICATE),
  vitistack('--metrics-cert-key', 'File of the key for metrics.', NO_CERTIFICATE),
  vitistack('--webhook-cert-path', 'Folder of the certificate for webhooks.', NO_WEBHOOKS),
  vitistack('--webhook-cert-name', 'File of the certificate for webhooks.', NO_WEBHOOKS),
  vitistack('--webhook-cert-key', 'File of the key for webhooks.', NO_WEBHOOKS),

  talos('TALOS_OPERATOR_IMAGE', 'Image of the upgrade Job.', IN_PROCESS),
  talos('TALOS_OPERATOR_SERVICE_ACCOUNT', 'Service account of the upgrade Job.', IN_PROCESS),
  {
    ...talos('ENABLE_PXE_BOOT_STACK', 'Boot machines over the network.', NO_PXE),
    asksFor: (text) => text === 'true',
  },
  talos('MATCHBOX_PORT', 'Port of matchbox.', NO_PXE),
  talos('TALOS_IMAGES_BASE_URL', 'Where kernels come from.', NO_PXE),
  talos('IPXE_BASE_URL', 'Where iPXE comes from.', NO_PXE),
  talos('UI_PORT', 'Port of the web UI.', '`run` serves no web UI'),

  vitistack('LOG_ADD_CALLER', 'Show the line of the source.', LOG_IS_FIXED),
  vitistack('LOG_COLORIZE_LINE', 'Log in colours.', LOG_IS_FIXED),
  vitistack('LOG_UNESCAPED_MULTILINE', 'Log texts over several lines.', LOG_IS_FIXED),
  vitistack('LOG_DISABLE_STACKTRACE', 'Log no stacks.', LOG_IS_FIXED),
  vitistack('TALOS_VERSION', 'Version of Talos for all clusters.', CLUSTER_SAYS),
  vitistack('DEFAULT_KUBERNETES_VERSION', 'Version of Kubernetes.', CLUSTER_SAYS),
  vitistack('TALOS_VM_INSTALL_IMAGE_KUBEVIRT', 'Installer image on KubeVirt.', CLUSTER_SAYS),
  vitistack('TALOS_VM_INSTALL_IMAGE_DEFAULT', 'Installer image elsewhere.', CLUSTER_SAYS),
  vitistack('ENDPOINT_MODE', 'How the endpoint of a cluster is found.', CLUSTER_SAYS),
  vitistack('CUSTOM_ENDPOINT', 'The endpoint in mode `custom`.', CLUSTER_SAYS),
  vitistack('TALOS_VIP_LINK', 'The link that carries the virtual address.', CLUSTER_SAYS),
  vitistack('BOOT_IMAGE_SOURCE', 'Boot from the network or from an image.', PROVIDER_SAYS),
  vitistack('BOOT_IMAGE', 'The image to boot from.', PROVIDER_SAYS),
  vitistack('VITISTACK_NAME', 'The Vitistack object to belong to.', PROVIDER_SAYS),
  vitistack('NAME_KUBERNETES_PROVIDER', 'The KubernetesProvider to create.', PROVIDER_SAYS),
  vitistack('TALOS_REQUIRED_EXTENSIONS', 'Extensions each machine must have.', NOT_LOOKED_FOR),
  vitistack('TALOS_EXTENSION_ENFORCE_ENABLED', 'Upgrade where one is missing.', NOT_LOOKED_FOR),
  vitistack('TALOS_EXTENSION_COOLDOWN_MINUTES', 'Pause between two of these.', NOT_LOOKED_FOR),
  vitistack('TALOS_EXTENSION_ENFORCE_COOLDOWN_MINUTES', 'The same.', NOT_LOOKED_FOR),
  vitistack('TALOS_VERSION_ENFORCE_ENABLED', 'Upgrade machines left behind.', NOT_LOOKED_FOR),
  vitistack('TALOS_VERSION_ENFORCE_COOLDOWN_MINUTES', 'Pause between two.', NOT_LOOKED_FOR),
  vitistack('TALOS_PREDICTABLE_NETWORK_NAMES', 'Stable names of links.', NOTHING_FROM_OUTSIDE),
  vitistack('TENANT_CONFIGMAP_NAME', 'ConfigMap with patches for all.', NOTHING_FROM_OUTSIDE),
  vitistack('TENANT_CONFIGMAP_NAMESPACE', 'Its namespace.', NOTHING_FROM_OUTSIDE),
  vitistack('TENANT_CONFIGMAP_DATA_KEY', 'Its key.', NOTHING_FROM_OUTSIDE),
  vitistack(
    'SECRET_PREFIX',
    'What the names of Secrets begin with.',
    'the name of a Secret follows from the name of its cluster',
  ),
  vitistack(
    'PROVISION_FAILURE_TIMEOUT_MINUTES',
    'When a cluster that does not come up counts as failed.',
    'whether a cluster has failed is told by its Machines, not by the time it takes',
  ),
]

/** Published variables that `run` leaves to others, with who reads them. Setting them is fine. */
export const readElsewhere: readonly { env: string; by: string }[] = [
  { env: 'KUBECONFIG', by: 'the client of the Kubernetes API, as kubectl does' },
  { env: 'TARGET_VERSION', by: '`talos-operator upgrade-k8s`' },
  { env: 'TCP_NAME', by: '`talos-operator upgrade-k8s`' },
  { env: 'TCP_NAMESPACE', by: '`talos-operator upgrade-k8s`' },
  { env: 'KUBEBUILDER_ASSETS', by: 'the suites of `make conformance`' },
]
