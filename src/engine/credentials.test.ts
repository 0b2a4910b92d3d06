import { X509Certificate } from 'node:crypto'
import { inspect } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { newAuthority } from '#machineconfig/secrets/authority.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { aBundle, NOW } from './cluster-secrets.cases.ts'
import { Credentials } from './credentials.ts'
import { kubernetesAccess } from './credentials-kubernetes.ts'
import { RenewedCertificate } from './credentials-renewed.ts'

const HOUR_MS = 3_600_000

let bundle: SecretsBundle
let other: SecretsBundle
beforeAll(async () => {
  ;[bundle, other] = await Promise.all([aBundle(), aBundle()])
})

describe('access to the machines of a cluster', () => {
  test('is that of an administrator, by the authority of the cluster', async () => {
    const access = await new Credentials({ clock: new FakeClock() }).of(bundle, 'lab/prod')

    const certificate = new X509Certificate(access.certificate)
    expect(access).toMatchObject({ kind: 'cluster', authority: bundle.talos.certificate })
    expect(certificate.subject).toBe('O=os:admin')
    expect(certificate.verify(new X509Certificate(bundle.talos.certificate).publicKey)).toBe(true)
    expect(inspect(access)).toContain('key: ***')
  })

  test('begins with the authority, for clocks that are behind, and ends in a day', async () => {
    const clock = new FakeClock()
    await clock.advance(1_000 * HOUR_MS)

    const { certificate } = await new Credentials({ clock }).of(bundle, 'lab/prod')

    const { validFrom, validTo } = new X509Certificate(certificate)
    expect(new Date(validFrom)).toEqual(NOW)
    expect(new Date(validTo)).toEqual(new Date(NOW.getTime() + 1_024 * HOUR_MS))
  })

  test('is kept until half of its life is over', async () => {
    const clock = new FakeClock()
    const credentials = new Credentials({ clock })
    const first = await credentials.of(bundle, 'lab/prod')

    await clock.advance(12 * HOUR_MS - 1)
    expect(await credentials.of({ ...bundle }, 'lab/prod')).toBe(first)
    await clock.advance(1)
    const second = await credentials.of(bundle, 'lab/prod')
    expect(second.certificate).not.toBe(first.certificate)
    expect(await credentials.of(bundle, 'lab/prod')).toBe(second)
  })

  test('is made anew when somebody has set the clock back', async () => {
    const clock = new FakeClock()
    const credentials = new Credentials({ clock })
    const first = await credentials.of(bundle, 'lab/prod')
    clock.jump(-1_000)
    expect(await credentials.of(bundle, 'lab/prod')).not.toBe(first)
  })

  test('is made once for all who ask at the same time', async () => {
    const credentials = new Credentials({ clock: new FakeClock() })
    const asks = [1, 2, 3].map(() => credentials.of(bundle, 'lab/prod'))
    const [first, ...rest] = await Promise.all(asks)
    for (const one of rest) expect(one).toBe(first)
  })

  test('is another for other secrets, and for another cluster', async () => {
    const credentials = new Credentials({ clock: new FakeClock() })
    const first = await credentials.of(bundle, 'lab/prod')
    expect(await credentials.of(bundle, 'lab/twin')).not.toBe(first)
    const changed = await credentials.of(other, 'lab/prod')
    expect(changed.authority).toBe(other.talos.certificate)
  })

  test('is forgotten with its cluster', async () => {
    const credentials = new Credentials({ clock: new FakeClock() })
    const first = await credentials.of(bundle, 'lab/prod')
    credentials.forget('lab/prod')
    expect(await credentials.of(bundle, 'lab/prod')).not.toBe(first)
  })

  test('is kept for so many clusters, those that were asked for last', async () => {
    const credentials = new Credentials({ clock: new FakeClock(), mostKept: 2 })
    const one = await credentials.of(bundle, 'one')
    const two = await credentials.of(bundle, 'two')
    expect(await credentials.of(bundle, 'one')).toBe(one)
    await credentials.of(bundle, 'three')
    expect(await credentials.of(bundle, 'one')).toBe(one)
    expect(await credentials.of(bundle, 'two')).not.toBe(two)
  })

  test('is refused, and not thrown at who asks, when it cannot be made', async () => {
    const broken = { ...bundle, talos: { ...bundle.talos, certificate: 'none' } }
    const credentials = new Credentials({ clock: new FakeClock() })
    await expect(credentials.of(broken, 'lab/prod')).rejects.toThrow()
  })
})

test('a certificate that could not be made is tried again', async () => {
  const outcomes = [Promise.reject(new Error('no luck')), Promise.resolve('made')]
  const renewed = new RenewedCertificate({
    clock: new FakeClock(),
    authority: bundle.talos.certificate,
    make: async () => outcomes.shift(),
  })
  await expect(renewed.current()).rejects.toThrow('no luck')
  expect(await renewed.current()).toBe('made')
})

describe('access to the Kubernetes API of a cluster', () => {
  const signal = new AbortController().signal
  const endpoint = 'https://192.0.2.1:6443'
  const accessWith = (clock = new FakeClock(), secrets = bundle) =>
    kubernetesAccess({ bundle: secrets, clusterName: 'prod', endpoint, clock })

  test('verifies the server, and is that of its administrator', async () => {
    const access = accessWith()
    const { certificate: client } = await access.credentials({ renew: false, signal })

    expect(access).toMatchObject({
      origin: 'the secrets of cluster "prod"',
      server: new URL(endpoint),
      skipVerify: false,
    })
    expect(await access.authority?.({ renew: false, signal })).toBe(bundle.kubernetes.certificate)
    const certificate = new X509Certificate(client?.certificate ?? '')
    expect(certificate.subject).toBe('O=system:masters\nCN=admin')
    const authority = new X509Certificate(bundle.kubernetes.certificate)
    expect(certificate.verify(authority.publicKey)).toBe(true)
    expect(client?.key.open()).toMatch(/^-----BEGIN PRIVATE KEY-----\n/)
  })

  test('has a key that OpenSSL takes, whatever the authority signs with', async () => {
    const kubernetes = await newAuthority({ family: 'ed25519', now: NOW })
    const access = accessWith(new FakeClock(), { ...bundle, kubernetes })
    const { certificate: client } = await access.credentials({ renew: false, signal })
    expect(client?.key.open()).toMatch(/^-----BEGIN PRIVATE KEY-----\n/)
  })

  test('has a new certificate after half of its life', async () => {
    const clock = new FakeClock()
    const access = accessWith(clock)
    const ask = async (renew = false) =>
      (await access.credentials({ renew, signal })).certificate?.certificate
    const first = await ask()

    await clock.advance(12 * HOUR_MS - 1)
    expect(await ask()).toBe(first)
    await clock.advance(1)
    expect(await ask()).not.toBe(first)
  })

  test('has a new certificate after a refusal, and at most one a minute', async () => {
    const clock = new FakeClock()
    const access = accessWith(clock)
    const ask = async (renew: boolean) =>
      (await access.credentials({ renew, signal })).certificate?.certificate
    const first = await ask(true)

    await clock.advance(59_999)
    expect(await ask(true)).toBe(first)
    await clock.advance(1)
    const second = await ask(true)
    expect(second).not.toBe(first)
    expect(await ask(false)).toBe(second)
  })

  test.each(['http://192.0.2.1:6443', 'prod:6443', '', 'https://'])('is not at %j', (wrong) => {
    const access = () =>
      kubernetesAccess({ bundle, clusterName: 'prod', endpoint: wrong, clock: new FakeClock() })
    expect(access).toThrow('is no URL that begins with https://')
  })
})
