import type { DocumentCases } from './validate-documents-case.ts'

const verified = { image: 'registry.k8s.io/*', keyless: { issuer: 'https://a', subject: 'b' } }
const TRIGGER =
  '(multiply_qos_vectors(d_qos_memory_full_total, {System: 8.0, Podruntime: 4.0}) > 3000.0 &&\n' +
  'multiply_qos_vectors(qos_memory_full_avg10, {System: 1.0, Podruntime: 1.0}) > 5.0) ||\n' +
  '(memory_full_avg10 > 75.0 && time_since_trigger > duration("10s"))'
const RANKING =
  'memory_max.hasValue() ? 0.0 :\n' +
  '{Besteffort: 1.0, Burstable: 0.5, Guaranteed: 0.0, Podruntime: 0.0, System: 0.0}[class] *\n' +
  'double(memory_current.orValue(0u))'

/** Registries, programs and trust: good ones and bad ones. */
export const runtimeCases: DocumentCases = {
  RegistryMirrorConfig: [
    { name: 'docker.io', endpoints: [{ url: 'https://mirror.example:5000', overridePath: true }] },
    { name: 'docker.io', skipFallback: true },
    { name: '' },
    {
      name: 'docker.io',
      endpoints: [{}, { url: 'ftp://a' }, { url: 'mirror.example' }, { url: 'HTTP://a' }],
    },
    { name: 'docker.io', endpoints: [{ url: 'localhost:5000' }] },
  ],
  RegistryAuthConfig: [
    { name: 'docker.io', username: 'u', password: 'throw-away' },
    { name: '', username: 'u', identityToken: 'throw-away', auth: 'throw-away' },
    { name: 'docker.io', auth: 'throw-away', identityToken: 'throw-away' },
    { name: 'docker.io', password: 'throw-away', auth: 'throw-away' },
  ],
  RegistryTLSConfig: [
    { name: 'a', ca: '$certificate', insecureSkipVerify: true },
    { name: 'a', clientIdentity: { cert: '$certificate', key: '$ed25519Key' } },
    { name: '', ca: 'garbage' },
    { name: 'a', ca: '-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n' },
    { name: 'a', ca: '$ed25519Key' },
    { name: 'a', ca: 'text before\n$certificate' },
    { name: 'a', clientIdentity: {} },
    { name: 'a', clientIdentity: { cert: '$certificate', key: '$ecKey' } },
    { name: 'a', clientIdentity: { cert: '$certificate', key: '$rsaKey' } },
    {
      name: 'a',
      clientIdentity: {
        cert: '-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n',
        key: '-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n',
      },
    },
  ],
  TrustedRootsConfig: [{ name: 'ca', certificates: 'anything' }, { name: '' }],
  PCIDriverRebindConfig: [{ name: '0000:04:00.00', targetDriver: 'vfio-pci' }, { name: '' }],
  ImageVerificationConfig: [
    { rules: [verified, { image: 'a', deny: true }, { image: 'b', skip: true }] },
    { rules: [{ ...verified, keyless: { issuer: 'a', subjectRegex: 'b' } }] },
    { rules: [{ image: 'a', publicKey: { certificate: 'x' } }] },
    {
      rules: [
        {},
        { image: 'a', skip: true, deny: true },
        { ...verified, deny: true },
        { image: 'a', keyless: {}, publicKey: {} },
        { image: 'a', skip: false },
      ],
    },
  ],
  SideroLinkConfig: [
    { apiUrl: 'https://siderolink.api/?jointoken=throw-away', uniqueToken: 'throw-away' },
    { apiUrl: 'grpc://siderolink.api:443' },
    { apiUrl: '' },
    { apiUrl: 'http://siderolink.api' },
    { apiUrl: 'https://siderolink.api/path' },
    { apiUrl: 'siderolink.api' },
  ],
  EnvironmentConfig: [
    { variables: { https_proxy: 'http://a', _A9: '' } },
    {},
    { variables: { '9a': 'x' } },
    { variables: { 'a-b': 'x' } },
    { variables: { '': 'x' } },
  ],
  EventSinkConfig: [
    { endpoint: '192.168.10.3:3247' },
    { endpoint: '[fd00::1]:3247' },
    { endpoint: ':3247' },
    { endpoint: '' },
    { endpoint: 'host' },
    { endpoint: 'fd00::1:3247' },
    { endpoint: '[fd00::1:3247' },
    { endpoint: '[fd00::1]' },
    { endpoint: '[fd00::1]x:1' },
    { endpoint: '[fd00::1]:1:2' },
    { endpoint: 'a[b:1' },
    { endpoint: 'a]b:1' },
  ],
  KmsgLogConfig: [
    { name: 'remote', url: 'tcp://192.168.3.7:3478/' },
    { name: 'remote', url: 'udp://[fd00::1]:3478' },
    { name: '', url: 'tcp://a:1' },
    { name: 'remote' },
    { name: 'remote', url: 'https://a:1' },
    { name: 'remote', url: 'tcp://a:1/b' },
    { name: 'remote', url: 'tcp://a' },
    { name: 'remote', url: 'tcp:a' },
  ],
  OOMConfig: [
    {},
    { triggerExpression: TRIGGER, cgroupRankingExpression: RANKING, sampleInterval: '100ms' },
    { triggerExpression: 'memory_full_avg10 > 75' },
    {
      triggerExpression: 'memory_full_avg10',
      cgroupRankingExpression: 'class',
      sampleInterval: '-1s',
    },
    { triggerExpression: 'qos_memory_current[System] > 3.0 && d_qos_memory_max[Burstable] > 1.0' },
    { triggerExpression: 'qos_memory_current["a"] > 3.0' },
    { triggerExpression: 'time_since_trigger > 10' },
    { cgroupRankingExpression: 'memory_max.orValue(1) > 0u ? 1.0 : 0.0' },
    { cgroupRankingExpression: 'memory_max.optMap(m, double(m)).orValue(0.0)' },
    { cgroupRankingExpression: 'optional.of(1.0).value() + double(GiB)' },
    { cgroupRankingExpression: 'path.startsWith("/kube") ? 1.0 : 2' },
  ],
  WatchdogTimerConfig: [
    { device: '/dev/watchdog0', timeout: '2m' },
    { device: '/dev/watchdog0' },
    { device: '', timeout: '1s' },
    { device: '/dev/watchdog0', timeout: '9.999s' },
    { device: '/dev/watchdog0', timeout: '-1h' },
    { device: '/dev/watchdog0', timeout: '10s' },
  ],
  ExtensionServiceConfig: [
    { name: 'nut', configFiles: [{ content: 'a', mountPath: '/b' }] },
    { name: 'nut', environment: ['A=b'] },
    { name: '' },
    { name: 'nut' },
    { name: 'nut', configFiles: [{ content: 'a', mountPath: '/b' }, { content: 'a' }, {}] },
    { name: 'nut', configFiles: [{ mountPath: '/b' }] },
  ],
}
