import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { Secret } from '#base/secret.ts'
import { heldBytes } from '#test/held-bytes.ts'
import type { SecretsBundle } from './bundle.ts'
import { readBundle, writeBundle } from './bundle-file.ts'
import { generateBundle } from './generate-bundle.ts'

let bundle: SecretsBundle
let text: string
beforeAll(async () => {
  bundle = await generateBundle({ talosVersion: 'v1.6', now: new Date('2026-11-16T07:00:00Z') })
  text = writeBundle(bundle).open()
})

const base64 = (value: string) => Buffer.from(value).toString('base64')

/** The line of a key, and of each one like it, replaced. */
const withLine = (key: string, line: string) =>
  text.replaceAll(new RegExp(`^( *)${key}: .*$`, 'gm'), `$1${line}`)

const refusalOf = (file: string): string => {
  try {
    readBundle(file)
    return 'taken'
  } catch (error) {
    return (error as Error).message // the caller looks at nothing else
  }
}

test('the file has the layout of talosctl', () => {
  expect(text.replaceAll(/: \S+$/gm, ': …')).toBe(`cluster:
    id: …
    secret: …
secrets:
    bootstraptoken: …
    secretboxencryptionsecret: …
trustdinfo:
    token: …
certs:
    etcd:
        crt: …
        key: …
    k8s:
        crt: …
        key: …
    k8saggregator:
        crt: …
        key: …
    k8sserviceaccount:
        key: …
    os:
        crt: …
        key: …
`)
  expect(text).toContain(`crt: ${base64(bundle.talos.certificate)}\n`)
  expect(text).toContain(`key: ${base64(bundle.talos.key.open())}\n`)
})

test('what was written is read', () => {
  const found = readBundle(text)

  expect(writeBundle(found).open()).toBe(text)
  expect(found.cluster.id).toBe(bundle.cluster.id)
  expect(found.encryption.as).toBe('secretbox')
})

test('a token of digits stays a text', () => {
  const token = new Secret('123456.1234567890123456')
  const written = writeBundle({ ...bundle, bootstrapToken: token }).open()

  expect(written).toContain('bootstraptoken: "123456.1234567890123456"\n')
  expect(readBundle(written).bootstrapToken.open()).toBe(token.open())
  const bare = withLine('bootstraptoken', `bootstraptoken: ${token.open()}`)
  expect(readBundle(bare).bootstrapToken.open()).toBe(token.open())
})

test('the secret of an older contract keeps its name', () => {
  const older = text.replace('secretboxencryptionsecret', 'aescbcencryptionsecret')

  const found = readBundle(older)
  expect(found.encryption.as).toBe('aescbc')
  expect(found.encryption.secret.open()).toBe(bundle.encryption.secret.open())
  expect(writeBundle(found).open()).toBe(older)
})

test('a redacted key is written as it is', () => {
  const shown = { ...bundle, talos: { ...bundle.talos, key: new Secret('******') } }
  expect(writeBundle(shown).open()).toContain("key: '******'\n")
})

test('the form that other programs keep as JSON is read', () => {
  const pair = ({ certificate, key }: SecretsBundle['etcd']) => ({
    Crt: base64(certificate),
    Key: base64(key.open()),
  })
  const json = JSON.stringify({
    Cluster: { Id: bundle.cluster.id, Secret: bundle.cluster.secret.open() },
    Secrets: {
      BootstrapToken: bundle.bootstrapToken.open(),
      SecretboxEncryptionSecret: bundle.encryption.secret.open(),
    },
    TrustdInfo: { Token: bundle.trustdToken.open() },
    Certs: {
      Etcd: pair(bundle.etcd),
      K8s: pair(bundle.kubernetes),
      K8sAggregator: pair(bundle.aggregator),
      K8sServiceAccount: { Key: base64(bundle.serviceAccountKey.open()) },
      OS: pair(bundle.talos),
    },
  })
  expect(writeBundle(readBundle(json)).open()).toBe(text)
})

test('unknown keys and what follows the first document are passed over', () => {
  expect(writeBundle(readBundle(`extra: {a: 1}\n${text}---\nother: 1\n`)).open()).toBe(text)
})

test('keys in the form of every other program are taken', () => {
  const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })
  const file = withLine('key', `key: ${base64(key.toString())}`)
  expect(readBundle(file).serviceAccountKey.open()).toBe(key.toString())
})

describe('a bundle that is not whole is refused in the words of Talos', () => {
  const validation = (...problems: string[]) => {
    const count = problems.length === 1 ? '1 error' : `${problems.length} errors`
    const lines = problems.map((problem) => `\t* ${problem}\n`).join('')
    return `failed to validate secrets bundle: ${count} occurred:\n${lines}\n`
  }

  test('if it is empty', () => {
    const parts = ['cluster', 'secrets', 'trustdinfo', 'certs']
    const wanted = validation(...parts.map((part) => `${part} is required`))
    expect(refusalOf('{}')).toBe(wanted)
    expect(refusalOf('{cluster: null, secrets: ~, trustdinfo: , certs: null}')).toBe(wanted)
  })

  test('if its parts are empty', () => {
    expect(refusalOf('{cluster: {}, secrets: {}, trustdinfo: {}, certs: {}}')).toBe(
      validation(
        'cluster.id is required',
        'cluster.secret is required',
        'secrets.bootstraptoken is required',
        'one of [secrets.secretboxencryptionsecret, secrets.aescbcencryptionsecret] is required',
        'trustdinfo.token is required',
        'certs.etcd is required',
        'certs.k8s is required',
        'certs.k8saggregator is required',
        'certs.os is required',
        'certs.k8sserviceaccount is required',
      ),
    )
  })

  test('if it has two secrets of one use', () => {
    const both = text.replace('trustdinfo:', '    aescbcencryptionsecret: x\ntrustdinfo:')
    expect(refusalOf(both)).toBe(
      validation(
        'only one of [secrets.secretboxencryptionsecret, secrets.aescbcencryptionsecret] is allowed',
      ),
    )
  })

  test('if a key is none', () => {
    const certificate = base64(bundle.talos.certificate)
    const message = refusalOf(withLine('key', `key: ${certificate}`))
    expect(message).toContain('\t* certs.os is invalid: unsupported key type: "CERTIFICATE"\n')
    expect(message).toContain(
      '\t* certs.k8sserviceaccount.key is invalid: unsupported key type "CERTIFICATE"\n',
    )
  })

  test('if a key was redacted', () => {
    expect(refusalOf(withLine('key', "key: '******'"))).toContain(
      '\t* certs.etcd is invalid: failed to parse PEM block: the key was redacted\n',
    )
  })

  test('if a certificate is none', () => {
    expect(refusalOf(withLine('crt', 'crt: AAAA'))).toContain(
      '\t* certs.k8s is invalid: failed to parse PEM block\n',
    )
    const rubbish = base64('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')
    expect(refusalOf(withLine('crt', `crt: ${rubbish}`))).toContain(
      '\t* certs.k8s is invalid: failed to parse certificate: x509: malformed certificate\n',
    )
  })
})

test.each([
  ['', 'EOF'],
  ['# nothing\n', 'EOF'],
  ['[1]', 'yaml: construct errors:\n  line 1: cannot construct !!seq into secrets.Bundle'],
  [
    'cluster: hunter2',
    'yaml: construct errors:\n  line 1: cannot construct !!str into secrets.Cluster',
  ],
  [
    'cluster:\n    id: 5\n    secret: [1]',
    'yaml: construct errors:\n  line 3: cannot construct !!seq into string',
  ],
  [
    'cluster: {id: 1, id: 2}',
    'yaml: construct errors:\n  line 1: mapping key "id" already defined at line 1',
  ],
  [
    'certs:\n    etcd: {crt: "!!", key: x}',
    'yaml: construct errors:\n  line 2: illegal base64 data at input byte 0\n  line 2: illegal base64 data at input byte 0',
  ],
])('%j is no bundle', (file, message) => {
  expect(refusalOf(file)).toBe(`failed to load secrets bundle: ${message}`)
})

test('what is no YAML is refused, and none of it is shown', () => {
  const message = refusalOf(`${text}\n\thunter2: {`)
  expect(message).toMatch(/^failed to load secrets bundle: /)
  expect(message).not.toContain('hunter2')
})

test('the file is not kept for what was read from it', () => {
  const padding = `# ${'x'.repeat(100_000)}\n`
  const read = () =>
    Array.from({ length: 50 }, () => readBundle(Buffer.from(`${text}${padding}`).toString()))
  read()

  expect(heldBytes(read)).toBeLessThan(2_000_000)
})
