import { beforeAll, describe, expect, test } from 'vitest'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { ConfigDocument, ValueMap } from '#machineconfig/document.ts'
import { MachineConfig } from '#machineconfig/machine-config.ts'
import { documentKind } from '#machineconfig/shapes/shapes.ts'
import type { CertificateAndKey, SecretsBundle } from './bundle.ts'
import { writeBundle } from './bundle-file.ts'
import { bundleFromConfig } from './bundle-from-config.ts'
import { generateBundle } from './generate-bundle.ts'

let bundle: SecretsBundle
beforeAll(async () => {
  bundle = await generateBundle({ talosVersion: 'v1.6', now: new Date('2026-11-16T07:00:00Z') })
})

function documentOf(name: string, fields: ValueMap): ConfigDocument {
  const kind = documentKind(name)
  if (!kind) throw new Error(`there is no kind ${name}`)
  return { kind, fields }
}

const base64 = (value: string) => Buffer.from(value).toString('base64')
const encoded = ({ certificate, key }: CertificateAndKey) => ({
  crt: base64(certificate),
  key: base64(key.open()),
})
const plain = ({ certificate, key }: CertificateAndKey) => ({ cert: certificate, key: key.open() })

const machine = (): ValueMap => ({
  type: 'controlplane',
  token: bundle.trustdToken.open(),
  ca: encoded(bundle.talos),
})

const cluster = (): ValueMap => ({
  id: bundle.cluster.id,
  secret: bundle.cluster.secret.open(),
  token: bundle.bootstrapToken.open(),
  secretboxEncryptionSecret: bundle.encryption.secret.open(),
  ca: encoded(bundle.kubernetes),
  aggregatorCA: encoded(bundle.aggregator),
  serviceAccount: { key: base64(bundle.serviceAccountKey.open()) },
  etcd: { ca: encoded(bundle.etcd) },
})

const legacyConfig = (changed: { machine?: ValueMap; cluster?: ValueMap } = {}) =>
  new MachineConfig([documentOf('', { machine: machine(), cluster: cluster(), ...changed })])

const encryption = (...resources: ValueMap[]) =>
  documentOf('KubeEtcdEncryptionConfig', { config: { resources } })

const secretbox = (secret: string): ValueMap => ({
  secretbox: {
    keys: [
      { name: 'key2', secret },
      { name: 'key1', secret: 'old' },
    ],
  },
})

const newerDocuments = (encryptionConfig: ConfigDocument): ConfigDocument[] => [
  documentOf('', {
    machine: machine(),
    cluster: { token: bundle.bootstrapToken.open(), etcd: { ca: encoded(bundle.etcd) } },
  }),
  documentOf('DiscoveryIdentityConfig', {
    clusterID: bundle.cluster.id,
    clusterSecret: bundle.cluster.secret.open(),
  }),
  documentOf('KubeAPIServerCAConfig', { issuingCA: plain(bundle.kubernetes) }),
  documentOf('KubeAggregatorCAConfig', { issuingCA: plain(bundle.aggregator) }),
  documentOf('KubeServiceAccountConfig', {
    issuer: { privateKey: bundle.serviceAccountKey.open() },
  }),
  encryptionConfig,
]

const refusalOf = (config: MachineConfig): string => {
  try {
    bundleFromConfig(config)
    return 'taken'
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

test('a control plane machine has the whole bundle', () => {
  expect(writeBundle(bundleFromConfig(legacyConfig())).open()).toBe(writeBundle(bundle).open())
})

test('one of v1.14 has it in several documents', () => {
  const secret = bundle.encryption.secret.open()
  const config = new MachineConfig(
    newerDocuments(encryption({ resources: ['secrets'], providers: [secretbox(secret)] })),
  )
  expect(writeBundle(bundleFromConfig(config)).open()).toBe(writeBundle(bundle).open())
})

test('an older cluster has a secret of another kind', () => {
  const { secretboxEncryptionSecret: secret = '', ...rest } = cluster()
  const older = legacyConfig({ cluster: { ...rest, aescbcEncryptionSecret: secret } })
  expect(bundleFromConfig(older).encryption.as).toBe('aescbc')
})

describe('of the encryption of v1.14', () => {
  const found = (...resources: ValueMap[]) => {
    const config = new MachineConfig(newerDocuments(encryption(...resources)))
    return bundleFromConfig(config).encryption.secret.open()
  }

  test('the first entry that is about Secrets counts', () => {
    expect(
      found(
        { resources: ['configmaps'], providers: [secretbox('other')] },
        { resources: ['configmaps', 'secrets'], providers: [secretbox('right')] },
        { resources: ['secrets'], providers: [secretbox('later')] },
      ),
    ).toBe('right')
  })

  test.each<[string, ValueMap]>([
    ['its first provider is another', { providers: [{ identity: {} }, secretbox('second')] }],
    ['it has no provider', {}],
    ['it has no key', { providers: [{ secretbox: { keys: [] } }] }],
    ['its providers are no list', { providers: 'x' }],
  ])('there is none if %s', (_, entry) => {
    expect(() => found({ resources: ['secrets'], ...entry })).toThrow(
      'one of [.cluster.secretboxEncryptionSecret or KubeEtcdEncryptionConfig, .cluster.aescbcEncryptionSecret] is required',
    )
  })
})

test('a worker has no keys, which the message says', () => {
  const { id = '', secret = '', token = '' } = cluster()
  const message = refusalOf(
    legacyConfig({
      machine: {
        type: 'worker',
        token: bundle.trustdToken.open(),
        ca: { crt: base64(bundle.talos.certificate) },
      },
      cluster: { id, secret, token, ca: { crt: base64(bundle.kubernetes.certificate) } },
    }),
  )

  expect(message).toMatch(/^no secrets bundle can be made from the machine configuration: 6 errors/)
  expect(message).toContain('\t* .machine.ca, with its key, is required\n')
  expect(message).toContain('\t* .cluster.etcd.ca, with its key, is required\n')
  expect(message).toContain('not one of a control plane machine')
})

test('a configuration without the legacy document has nothing', () => {
  const message = refusalOf(new MachineConfig([]))
  expect(message).toContain('10 errors occurred')
  expect(message).toContain('\t* .machine.token is required\n')
})

test('a control plane machine that lacks a thing is told which', () => {
  const { token: _, ...rest } = cluster()
  const message = refusalOf(legacyConfig({ cluster: rest }))
  expect(message).toBe(
    'no secrets bundle can be made from the machine configuration: 1 error occurred:\n\t* .cluster.token is required\n\n',
  )
})

test.each([
  ['was redacted', '******', 'failed to parse PEM block: the key was redacted'],
  ['is no base64', '!!', 'failed to parse PEM block'],
  ['is no PEM', base64('hunter2'), 'failed to parse PEM block'],
])('a key that %s is named', (_, key, why) => {
  const redacted = { ...machine(), ca: { crt: base64(bundle.talos.certificate), key } }
  expect(refusalOf(legacyConfig({ machine: redacted }))).toContain(
    `\t* .machine.ca, with its key, is invalid: ${why}\n`,
  )
})

test('a certificate that is no base64 is named', () => {
  const wrong = { ...machine(), ca: { ...encoded(bundle.talos), crt: '!' } }
  expect(refusalOf(legacyConfig({ machine: wrong }))).toContain('.machine.ca')
})

test('two secrets of one use are refused', () => {
  const both = { ...cluster(), aescbcEncryptionSecret: 'x' }
  expect(refusalOf(legacyConfig({ cluster: both }))).toContain('only one of [')
})

test('a service-account key that is none is named', () => {
  const wrong = { ...cluster(), serviceAccount: { key: base64('x') } }
  expect(refusalOf(legacyConfig({ cluster: wrong }))).toContain(
    '\t* .cluster.serviceAccount.key or KubeServiceAccountConfig.issuer.privateKey is invalid: ',
  )
})
