import { describe, expect, test } from 'vitest'
import { describeSettings, readSettings, type Settings } from './settings.ts'
import { flagsOf } from './settings-flags.ts'
import { readElsewhere } from './settings-ignored.ts'
import { attributeOf } from './settings-sources.ts'

// The flags and variables of the two published operators, written down by hand from their sources and
// from the pages that describe them, so that a table which loses one is found out.

const byFlag = (flag: string, value: string) =>
  readSettings({ flags: { [attributeOf(flag)]: value }, env: {} })
const byVariable = (name: string, value: string) =>
  readSettings({ flags: {}, env: { [name]: value } })

const unset = readSettings({ flags: {}, env: {} })
const changed = (settings: Settings) =>
  Object.fromEntries(
    Object.entries(settings).filter(
      ([name, value]) =>
        JSON.stringify(value) !== JSON.stringify(new Map(Object.entries(unset)).get(name)),
    ),
  )

const known = new Set(flagsOf().map(({ flags }) => /^--([\w-]+)/.exec(flags)?.[1]))

describe('flags', () => {
  test.each([
    ['metrics-bind-address', ':8443', { metricsBindAddress: { port: 8443 } }],
    ['health-probe-bind-address', ':9993', { healthProbeBindAddress: { port: 9993 } }],
    ['enable-tracing', 'true', { enableTracing: true }],
    ['otlp-endpoint', 'tempo:4318', { otlpEndpoint: 'http://tempo:4318' }],
    ['zap-log-level', 'debug', { logLevel: 'debug' }],
    ['zap-log-level', '5', { logLevel: 'debug' }],
    ['zap-encoder', 'console', { logFormat: 'text' }],
    ['zap-devel', 'true', { development: true, logLevel: 'debug', logFormat: 'text' }],
    ['kubeconfig', '/tmp/kubeconfig', { kubeconfig: '/tmp/kubeconfig' }],
    ['leader-elect', 'true', {}],
    ['metrics-secure', 'false', {}],
    ['enable-http2', 'false', {}],
  ])('--%s=%s is done', (flag, value, effect) => {
    expect(known).toContain(flag)
    expect(changed(byFlag(flag, value))).toEqual(effect)
  })

  test.each([
    ['leader-elect', 'false'],
    ['enable-http2', 'true'],
    ['zap-stacktrace-level', 'panic'],
    ['zap-time-encoding', 'rfc3339'],
    ['metrics-cert-path', '/certificates'],
    ['metrics-cert-name', 'tls.crt'],
    ['metrics-cert-key', 'tls.key'],
    ['webhook-cert-path', '/certificates'],
    ['webhook-cert-name', 'tls.crt'],
    ['webhook-cert-key', 'tls.key'],
  ])('--%s=%s is accepted, and noted', (flag, value) => {
    expect(known).toContain(flag)
    expect(changed(byFlag(flag, value))).toEqual({
      notes: [expect.stringMatching(new RegExp(`^--${flag} has no effect: .+\\.$`))],
    })
  })

  test('--metrics-secure is refused, because nothing would be secure, with what to do instead', () => {
    expect(known).toContain('metrics-secure')
    expect(() => byFlag('metrics-secure', 'true')).toThrow(
      '--metrics-secure is "true": `/metrics` is served without TLS and without asking who reads it. ' +
        'Keep others away with a NetworkPolicy or with --metrics-bind-address=127.0.0.1:8080. ' +
        'Give `false`, or leave it out.',
    )
  })
})

describe('variables', () => {
  test.each([
    ['METRICS_BIND_ADDRESS', ':9090', { metricsBindAddress: { port: 9090 } }],
    ['HEALTH_PROBE_BIND_ADDRESS', '0', { healthProbeBindAddress: 'off' }],
    ['LOG_LEVEL', 'debug', { logLevel: 'debug' }],
    ['LOG_JSON', 'true', {}],
    ['LOG_JSON', 'false', { logFormat: 'text' }],
    ['DEVELOPMENT', 'true', { development: true, logLevel: 'debug', logFormat: 'text' }],
    ['ENABLE_META_KEY', 'false', {}],
    ['ENABLE_META_KEY', 'true', { enableMetaKey: true }],
    ['ENABLE_PXE_BOOT_STACK', 'false', {}],
    ['WATCH_NAMESPACE', 'a', { namespaces: ['a'] }],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://tempo:4318', { otlpEndpoint: 'http://tempo:4318' }],
    ['MAX_CONCURRENT_RECONCILES', '5', { maxConcurrentReconciles: 5 }],
    ['RECONCILE_INTERVAL', '500ms', { reconcileInterval: { ms: 500 } }],
    ['RESULTS_PATH', '/results', { resultsPath: '/results' }],
    ['POD_NAME', 'talos-operator-0', { leaderElectionIdentity: 'talos-operator-0' }],
  ])('%s=%s is done', (name, value, effect) => {
    expect(changed(byVariable(name, value))).toEqual(effect)
  })

  test.each([
    'TALOS_OPERATOR_IMAGE',
    'TALOS_OPERATOR_SERVICE_ACCOUNT',
    'ENABLE_PXE_BOOT_STACK',
    'MATCHBOX_PORT',
    'TALOS_IMAGES_BASE_URL',
    'IPXE_BASE_URL',
    'UI_PORT',
    'LOG_ADD_CALLER',
    'LOG_COLORIZE_LINE',
    'LOG_UNESCAPED_MULTILINE',
    'LOG_DISABLE_STACKTRACE',
    'TALOS_VERSION',
    'DEFAULT_KUBERNETES_VERSION',
    'TALOS_VM_INSTALL_IMAGE_KUBEVIRT',
    'TALOS_VM_INSTALL_IMAGE_DEFAULT',
    'TALOS_REQUIRED_EXTENSIONS',
    'TALOS_EXTENSION_ENFORCE_ENABLED',
    'TALOS_EXTENSION_COOLDOWN_MINUTES',
    'TALOS_EXTENSION_ENFORCE_COOLDOWN_MINUTES',
    'TALOS_VERSION_ENFORCE_ENABLED',
    'TALOS_VERSION_ENFORCE_COOLDOWN_MINUTES',
    'TALOS_PREDICTABLE_NETWORK_NAMES',
    'ENDPOINT_MODE',
    'CUSTOM_ENDPOINT',
    'TALOS_VIP_LINK',
    'BOOT_IMAGE_SOURCE',
    'BOOT_IMAGE',
    'SECRET_PREFIX',
    'VITISTACK_NAME',
    'NAME_KUBERNETES_PROVIDER',
    'TENANT_CONFIGMAP_NAME',
    'TENANT_CONFIGMAP_NAMESPACE',
    'TENANT_CONFIGMAP_DATA_KEY',
    'PROVISION_FAILURE_TIMEOUT_MINUTES',
  ])('%s is accepted, and noted', (name) => {
    expect(changed(byVariable(name, 'true'))).toEqual({
      notes: [expect.stringMatching(new RegExp(`^${name} has no effect: .+\\.$`))],
    })
  })

  // Their names and defaults, and what another value comes to.
  test.each([
    { point: 'R57', name: 'METRICS_BIND_ADDRESS', usual: ':8080', other: '127.0.0.1:9090' },
    { point: 'R58', name: 'HEALTH_PROBE_BIND_ADDRESS', usual: ':8081', other: '[::1]:9091' },
    { point: 'R59', name: 'MAX_CONCURRENT_RECONCILES', usual: 1, other: 4 },
    { point: 'R60', name: 'RECONCILE_INTERVAL', usual: '30s', other: '1h30m' },
    { point: 'R61', name: 'RESULTS_PATH', usual: 'hack/results', other: '/var/results' },
  ])(
    '$point: $name is $usual where nothing is said, and can be $other',
    ({ name, usual, other }) => {
      const setting = name.toLowerCase().replace(/_(.)/g, (_, letter) => letter.toUpperCase())

      expect(describeSettings(unset)[setting]).toBe(usual)
      expect(describeSettings(byVariable(name, String(other)))[setting]).toBe(other)
    },
  )

  test.each(['KUBECONFIG', 'TARGET_VERSION', 'TCP_NAME', 'TCP_NAMESPACE', 'KUBEBUILDER_ASSETS'])(
    '%s is left to whoever reads it',
    (name) => {
      expect(changed(byVariable(name, 'x'))).toEqual({})
      expect(readElsewhere.map(({ env }) => env)).toContain(name)
    },
  )

  test('ENABLE_META_KEY is on with exactly true, and a near miss is noted', () => {
    expect(changed(byVariable('ENABLE_META_KEY', 'True'))).toEqual({
      notes: [
        'ENABLE_META_KEY is "True", which counts as off, because only exactly `true` turns it on.',
      ],
    })
  })

  test('variables that have no effect for one reason make one note', () => {
    const env = { TALOS_VERSION: 'v1.13.7', ENDPOINT_MODE: 'none', SECRET_PREFIX: 'k8s-' }

    expect(readSettings({ flags: {}, env }).notes).toEqual([
      'TALOS_VERSION, ENDPOINT_MODE have no effect: every KubernetesCluster says it for itself, in its spec.',
      'SECRET_PREFIX has no effect: the name of a Secret follows from the name of its cluster.',
    ])
  })

  test('what Kubernetes sets for a Service of our own name is not taken for a setting', () => {
    const env = {
      TALOS_OPERATOR_PORT: 'tcp://10.0.0.1:8080',
      TALOS_OPERATOR_PORT_8080_TCP_ADDR: '10.0.0.1',
      TALOS_OPERATOR_SERVICE_HOST: '10.0.0.1',
      TALOS_OPERATOR_SERVICE_PORT: '8080',
    }

    expect(changed(readSettings({ flags: {}, env }))).toEqual({})
  })
})
