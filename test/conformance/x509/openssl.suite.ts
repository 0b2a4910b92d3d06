import { execFile } from 'node:child_process'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Secret } from '#base/secret.ts'
import { createAuthority, createKey, issueCertificate } from '#base/x509.ts'

// Go's opinion is in every other suite: etcd and kube-apiserver run with certificates of ours.

const DAY_MS = 86_400_000
const validity = {
  notBefore: new Date(Date.now() - DAY_MS),
  notAfter: new Date(Date.now() + 30 * 365 * DAY_MS),
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talos-operator-x509-'))
})
afterAll(() => rm(folder, { recursive: true }))

const openssl = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)('openssl', args, { cwd: folder })).stdout

const pemOf = (key: KeyObject) =>
  new Secret(key.export({ type: 'pkcs8', format: 'pem' }).toString())

describe.each([
  ['P-256', createKey],
  ['Ed25519', () => pemOf(generateKeyPairSync('ed25519').privateKey)],
  ['RSA', () => pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)],
])('openssl, strict, with an authority that signs with %s', (name, newKey) => {
  const [ca, leaf] = [`${name}-ca.crt`, `${name}.crt`]
  beforeAll(async () => {
    const authority = createAuthority('an authority', newKey(), validity)
    const issued = issueCertificate(authority, {
      commonName: 'jörg, O=x',
      organizations: ['one', 'two'],
      usage: 'server',
      hosts: ['prod.example', '10.0.0.1', '2001:db8::1'],
      validity,
    })
    await writeFile(join(folder, ca), authority.certificate)
    await writeFile(join(folder, leaf), issued.certificate)
  })

  const verify = (...args: string[]) =>
    openssl('verify', '-x509_strict', '-check_ss_sig', '-CAfile', ca, ...args)

  test.each([
    ['for a server', ['-purpose', 'sslserver']],
    ['by name', ['-verify_hostname', 'prod.example']],
    ['by address', ['-verify_ip', '10.0.0.1']],
    ['by IPv6 address', ['-verify_ip', '2001:db8::1']],
  ])('takes a certificate %s', async (_, args) => {
    expect(await verify(...args, leaf)).toBe(`${leaf}: OK\n`)
  })

  test.each([
    ['for a client', ['-purpose', 'sslclient']],
    ['by another name', ['-verify_hostname', 'other.example']],
  ])('refuses it %s', async (_, args) => {
    await expect(verify(...args, leaf)).rejects.toThrow('verification failed')
  })

  test('takes the authority, and reads the names as they were meant', async () => {
    expect(await verify(ca)).toBe(`${ca}: OK\n`)
    expect(
      await openssl('x509', '-in', leaf, '-noout', '-subject', '-nameopt', 'RFC2253,-esc_msb,utf8'),
    ).toBe('subject=CN=jörg\\, O=x,O=two,O=one\n')
  })
})
