import { expect, test } from 'vitest'
import { LONGEST_LEASE_MS } from '#runtime/leader-lease.ts'
import { describeSettings, readSettings } from './settings.ts'
import { nameOf, type Setting } from './settings-declare.ts'
import { attributeOf } from './settings-sources.ts'
import { settingsTable } from './settings-table.ts'

const defaults = {
  config: undefined,
  kubeconfig: undefined,
  context: undefined,
  insecureSkipTlsVerify: false,
  namespaces: [],
  machineRefKinds: [],
  maxConcurrentReconciles: 1,
  concurrency: 10,
  reconcileInterval: { ms: 30_000 },
  resultsPath: 'hack/results',
  enableMetaKey: false,
  metricsBindAddress: { port: 8080 },
  healthProbeBindAddress: { port: 8081 },
  leaderElectionNamespace: undefined,
  leaderElectionName: 'talos-operator',
  leaderElectionIdentity: undefined,
  leaderElectionLeaseDuration: { ms: 15_000 },
  leaderElectionRenewDeadline: { ms: 10_000 },
  leaderElectionRetryPeriod: { ms: 2_000 },
  logLevel: 'info',
  logFormat: 'json',
  development: false,
  enableTracing: false,
  otlpEndpoint: 'http://localhost:4318',
  otlpHeaders: undefined,
}

/** For each setting a text that is not its default, and what becomes of it. */
const others: [string, string, unknown][] = [
  ['config', '/etc/settings.yaml', '/etc/settings.yaml'],
  ['kubeconfig', '/etc/kubeconfig', '/etc/kubeconfig'],
  ['context', 'prod', 'prod'],
  ['insecureSkipTlsVerify', 'true', true],
  ['namespaces', 'a,b', ['a', 'b']],
  [
    'machineRefKinds',
    'kubevirt.io/v1/VirtualMachine',
    [{ group: 'kubevirt.io', version: 'v1', kind: 'VirtualMachine' }],
  ],
  ['maxConcurrentReconciles', '4', 4],
  ['concurrency', '20', 20],
  ['reconcileInterval', '1h30m', { ms: 5_400_000 }],
  ['resultsPath', '/var/results', '/var/results'],
  ['enableMetaKey', 'true', true],
  ['metricsBindAddress', '0', 'off'],
  ['healthProbeBindAddress', '127.0.0.1:9993', { host: '127.0.0.1', port: 9993 }],
  ['leaderElectionNamespace', 'talos-operator-system', 'talos-operator-system'],
  ['leaderElectionName', 'other', 'other'],
  ['leaderElectionIdentity', 'talos-operator-7f', 'talos-operator-7f'],
  ['leaderElectionLeaseDuration', '1m', { ms: 60_000 }],
  ['leaderElectionRenewDeadline', '5s', { ms: 5_000 }],
  ['leaderElectionRetryPeriod', '500ms', { ms: 500 }],
  ['logLevel', 'warn', 'warn'],
  ['logFormat', 'text', 'text'],
  ['development', 'true', true],
  ['enableTracing', 'true', true],
  ['otlpEndpoint', 'tempo:4318', 'http://tempo:4318'],
]

const settingNamed = (name: string): Setting<unknown> => {
  const found = new Map<string, Setting<unknown>>(Object.entries(settingsTable)).get(name)
  if (!found) throw new Error(`there is no setting ${name}`)
  return found
}

const plainNames = (spellings: Setting<unknown>['flags']): string[] =>
  spellings.filter((spelling) => typeof spelling === 'string')

const read = (given: Partial<Parameters<typeof readSettings>[0]> = {}) =>
  readSettings({ flags: {}, env: {}, ...given })

const fileOf = (text: string) => ({ path: 'settings.yaml', text })

test('with nothing said, every setting has its default and there is nothing to note', () => {
  expect(read()).toEqual({ ...defaults, notes: [] })
})

test.each(others)('%s follows from each of its flags', (name, text, value) => {
  const flags = plainNames(settingNamed(name).flags)

  expect(flags.length).toBeGreaterThan(0)
  for (const flag of flags) {
    expect(read({ flags: { [attributeOf(flag)]: text } })).toMatchObject({ [name]: value })
  }
})

const withVariable = others.filter(([name]) => plainNames(settingNamed(name).env).length > 0)

test.each(withVariable)('%s follows from each of its variables', (name, text, value) => {
  for (const variable of plainNames(settingNamed(name).env)) {
    expect(read({ env: { [variable]: text } })).toMatchObject({ [name]: value })
  }
})

const withKey = others.filter(([name]) => settingNamed(name).inFile !== false)

test.each(withKey)('%s follows from the file', (name, text, value) => {
  expect(read({ file: fileOf(`${name}: "${text}"`) })).toMatchObject({ [name]: value })
})

test('these tests know every setting', () => {
  const known = [...others.map(([name]) => name), 'otlpHeaders']

  expect(known).toEqual(Object.keys(settingsTable))
  expect(Object.keys(defaults)).toEqual(Object.keys(settingsTable))
})

test('a setting is named as its first flag, and no flag or variable belongs to two', () => {
  const all = Object.entries<Setting<unknown>>(settingsTable)
  const spelled = all.flatMap(([, { flags, env }]) => [...flags, ...env].map(nameOf))

  const odd = all.filter(([name, { flags }]) => flags[0] && attributeOf(nameOf(flags[0])) !== name)
  // Commander writes the first letter after a dash in capitals, and nothing else.
  expect(odd.map(([name]) => name)).toEqual([])
  expect(new Set(spelled).size).toBe(spelled.length)
})

test('flags go before variables, variables before the file, the file before defaults', () => {
  const flags = { logLevel: 'error' }
  const env = { LOG_LEVEL: 'warn', RESULTS_PATH: '/from/env' }
  const file = fileOf('logLevel: debug\nresultsPath: /from/file\nconcurrency: 7')

  expect(read({ flags, env, file })).toMatchObject({
    logLevel: 'error',
    resultsPath: '/from/env',
    concurrency: 7,
    maxConcurrentReconciles: 1,
  })
})

test('a value that another one goes before may be wrong', () => {
  expect(
    read({ flags: { concurrency: '3' }, env: { TALOS_OPERATOR_CONCURRENCY: 'many' } }),
  ).toEqual({
    ...defaults,
    concurrency: 3,
    notes: [],
  })
})

test('an empty variable is not set, and a flag without a value empties', () => {
  const env = { LOG_LEVEL: '', TALOS_OPERATOR_NAMESPACES: ' ', WATCH_NAMESPACE: 'a' }

  expect(read({ env })).toMatchObject({ logLevel: 'info', namespaces: ['a'] })
  expect(read({ env, flags: { namespaces: '', kubeconfig: '' } })).toMatchObject({
    namespaces: [],
    kubeconfig: undefined,
  })
})

test('of two spellings of one setting the first counts, and the other is noted', () => {
  const env = { TALOS_OPERATOR_NAMESPACES: 'a', WATCH_NAMESPACE: 'b' }

  expect(read({ env })).toMatchObject({
    namespaces: ['a'],
    notes: [
      'WATCH_NAMESPACE has no effect: TALOS_OPERATOR_NAMESPACES says the same thing and goes first.',
    ],
  })
})

test('development logs more and for people, unless told otherwise', () => {
  const env = { DEVELOPMENT: 'true' }

  expect(read({ env })).toMatchObject({ logLevel: 'debug', logFormat: 'text' })
  expect(read({ env: { ...env, LOG_JSON: 'true', LOG_LEVEL: 'info' } })).toMatchObject({
    logLevel: 'info',
    logFormat: 'json',
  })
})

test('everything that is wrong is told at once, each with its place, its value, why, and what to do', () => {
  const reading = () =>
    read({
      flags: { metricsBindAddress: 'everywhere', leaderElect: 'perhaps' },
      env: { MAX_CONCURRENT_RECONCILES: '0', RECONCILE_INTERVAL: '30' },
      file: fileOf('logLevel: loud\ncolour: blue\nlogFormats: json\nnamespaces: [[a]]'),
    })

  expect(errorOf(reading).split('\n')).toEqual([
    'colour in settings.yaml is no setting. Remove it; docs/reference/settings.md has those there are.',
    'logFormats in settings.yaml is no setting. Did you mean logFormat?',
    'namespaces in settings.yaml has not the right shape. Give a name of lower-case letters, digits and `-`, at most 63 of them, or several with commas between them.',
    'MAX_CONCURRENT_RECONCILES is "0": it is too small. Give a whole number from 1 to 1000.',
    'RECONCILE_INTERVAL is "30": a number needs its unit, as in 30s. Give a duration from 100ms to 24h, as in 500ms, 30s, 5m or 1h30m.',
    '--metrics-bind-address is "everywhere": it is no address to listen on. Give an address such as `:8080`, `127.0.0.1:8080` or `[::1]:8080`, or `0` to listen nowhere.',
    'logLevel in settings.yaml is "loud": it is none of the words that are known. Give `error`, `warn`, `info`, `debug`, `warning`, `trace`, `dpanic`, `panic`, `fatal`.',
    '--leader-elect is "perhaps": it is neither true nor false. Give `true` or `false`.',
  ])
})

test('a lease that ends before its holder stops is refused', () => {
  const env = { TALOS_OPERATOR_LEADER_ELECTION_LEASE_DURATION: '10s' }

  expect(() => read({ env })).toThrow(
    'leaderElectionLeaseDuration (10s) must be longer than leaderElectionRenewDeadline (10s), and ' +
      'that longer than leaderElectionRetryPeriod (2s): a leader must stop before another one can ' +
      'begin. Change one of the three.',
  )
  expect(() => read({ flags: { leaderElectionRetryPeriod: '10s' } })).toThrow('Change one')
})

test('a lease may be as long as leaders may hold one, and no longer', () => {
  const longest = LONGEST_LEASE_MS / 1_000
  const flags = { leaderElectionLeaseDuration: `${longest}s` }

  expect(read({ flags }).leaderElectionLeaseDuration).toEqual({ ms: LONGEST_LEASE_MS })
  expect(() => read({ flags: { leaderElectionLeaseDuration: `${longest + 1}s` } })).toThrow(
    'it is too long',
  )
})

test('a duration that makes no sense is not compared with others', () => {
  const flags = { leaderElectionLeaseDuration: 'x', leaderElectionRenewDeadline: '20s' }

  expect(() => read({ flags })).toThrow(/^--leader-election-lease-duration is "x": [^\n]*$/)
})

test('a secret is in no error, no description and no printed settings', () => {
  const secret = 'hunter2'
  const settings = read({ env: { OTEL_EXPORTER_OTLP_HEADERS: `authorization=${secret}` } })

  const shown = [
    JSON.stringify(settings),
    JSON.stringify(describeSettings(settings)),
    errorOf(() => read({ env: { OTEL_EXPORTER_OTLP_HEADERS: secret } })),
    errorOf(() => read({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: `https://me:${secret}@tempo` } })),
    errorOf(() => read({ flags: { otlpEndpoint: `me:${secret}@tempo:4318` } })),
  ]
  expect(settings.otlpHeaders?.open()).toEqual({ authorization: secret })
  expect(shown.filter((text) => text.includes(secret))).toEqual([])
  expect(shown.slice(2)).toEqual([
    'OTEL_EXPORTER_OTLP_HEADERS cannot be used: a header has no `=`. Give headers as `name=value`, with commas between them.',
    expect.stringContaining('OTEL_EXPORTER_OTLP_ENDPOINT is "***@tempo": a user and a password'),
    expect.stringContaining('--otlp-endpoint is "***@tempo:4318": a user and a password'),
  ])
})

test('a long value is quoted in part', () => {
  const flags = { concurrency: 'x'.repeat(10_000) }

  expect(errorOf(() => read({ flags })).length).toBeLessThan(250)
})

test('the description is flat, has each value as one would write it, and leaves out what is not set', () => {
  const env = { TALOS_OPERATOR_NAMESPACES: 'a,b', OTEL_EXPORTER_OTLP_HEADERS: 'a=b' }

  expect(describeSettings(read({ env, flags: { machineRefKinds: 'x.io/v1/Vm,v1/Pod' } }))).toEqual({
    insecureSkipTlsVerify: false,
    namespaces: 'a,b',
    machineRefKinds: 'x.io/v1/Vm,v1/Pod',
    maxConcurrentReconciles: 1,
    concurrency: 10,
    reconcileInterval: '30s',
    resultsPath: 'hack/results',
    enableMetaKey: false,
    metricsBindAddress: ':8080',
    healthProbeBindAddress: ':8081',
    leaderElectionName: 'talos-operator',
    leaderElectionLeaseDuration: '15s',
    leaderElectionRenewDeadline: '10s',
    leaderElectionRetryPeriod: '2s',
    logLevel: 'info',
    logFormat: 'json',
    development: false,
    enableTracing: false,
    otlpEndpoint: 'http://localhost:4318',
    otlpHeaders: '***',
  })
})

function errorOf(reading: () => unknown): string {
  try {
    reading()
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
  throw new Error('nothing was refused')
}
