import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { parseYaml } from '#base/yaml.ts'
import { newAuthority } from './authority.ts'
import { kubeconfigFor } from './kubeconfig.ts'

const now = new Date('2026-11-16T07:00:00Z')
const text = (base64 = '') => Buffer.from(base64, 'base64').toString()

async function aKubeconfig(options = {}) {
  const ca = await newAuthority({ family: 'ecdsa', organization: 'kubernetes', now })
  const clusterName = 'prod'
  const endpoint = 'https://10.0.0.1:6443'
  const written = await kubeconfigFor({ clusterName, endpoint, ca, now, ...options })
  const found = parseYaml(written.open()) as Kubeconfig // the first test is about its shape
  return { ca, found, authority: found.clusters[0]?.cluster, user: found.users[0]?.user }
}

interface Kubeconfig {
  clusters: { cluster: Record<string, string> }[]
  users: { user: Record<string, string> }[]
}

test('a kubeconfig has the names that Talos gives', async () => {
  const { found, authority } = await aKubeconfig()

  expect(found).toEqual({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'admin@prod',
    clusters: [{ name: 'prod', cluster: expect.anything() }],
    contexts: [
      {
        name: 'admin@prod',
        context: { cluster: 'prod', namespace: 'default', user: 'admin@prod' },
      },
    ],
    users: [{ name: 'admin@prod', user: expect.anything() }],
  })
  expect(authority?.server).toBe('https://10.0.0.1:6443')
})

test('its user is known to the authority', async () => {
  const { ca, authority, user } = await aKubeconfig()

  const certificate = new X509Certificate(text(user?.['client-certificate-data']))
  expect(certificate.verify(new X509Certificate(ca.certificate).publicKey)).toBe(true)
  expect(certificate.subject).toBe('O=system:masters\nCN=admin')
  expect(text(user?.['client-key-data'])).toMatch(/^-----BEGIN EC PRIVATE KEY-----\n/)
  expect(text(authority?.['certificate-authority-data'])).toBe(ca.certificate)
})

test('authorities of a rotation are trusted too, before the one that issues', async () => {
  const { ca, authority } = await aKubeconfig({ acceptedCas: ['OLD\n'] })
  const trusted = text(authority?.['certificate-authority-data'])
  expect(trusted).toBe(`OLD\n${ca.certificate}`)
})

test('it lives as long as it is told', async () => {
  const { user } = await aKubeconfig({ lifetimeMs: 60_000 })
  const certificate = new X509Certificate(text(user?.['client-certificate-data']))
  expect(new Date(certificate.validTo)).toEqual(new Date(now.getTime() + 60_000))
})
