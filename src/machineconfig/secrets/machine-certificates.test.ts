import { X509Certificate } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { newAuthority } from './authority.ts'
import type { CertificateAndKey } from './bundle.ts'
import {
  apidCertificate,
  apidClientCertificate,
  apiServerKubeletClientCertificate,
  etcdClientCertificate,
  etcdPeerCertificate,
  etcdServerCertificate,
  frontProxyCertificate,
  kubeApiServerCertificate,
  kubeletClientCertificate,
  kubeletServingCertificate,
  type Serving,
  trustdCertificate,
} from './machine-certificates.ts'

const now = new Date('2026-11-16T07:00:00Z')
const DAY_MS = 24 * 3_600_000
const YEAR = 365

let ca: CertificateAndKey
beforeAll(async () => {
  ca = await newAuthority({ family: 'ecdsa', now: new Date(now.getTime() - 1) })
})

const hosts = ['cp1', '10.0.0.1', 'fd00::1']
const usages = {
  server: ['1.3.6.1.5.5.7.3.1'],
  client: ['1.3.6.1.5.5.7.3.2'],
  peer: ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'],
}

interface Wanted {
  of: string
  issue: (machine: Serving) => Promise<CertificateAndKey>
  subject: string
  usage: keyof typeof usages
  days: number
  hosts?: string[]
  encipherment: boolean
}

const node = 'O=system:nodes\nCN=system:node:cp1.lan'
const etcd = { subject: 'CN=cp1.lan', days: 10 * YEAR, encipherment: true }
const kubernetes = { days: YEAR, encipherment: true }
const local = [...hosts, 'localhost', '127.0.0.1', '::1']

test.each<Wanted>([
  {
    of: 'apid',
    issue: apidCertificate,
    subject: 'CN=cp1.lan',
    usage: 'server',
    days: 1,
    hosts,
    encipherment: false,
  },
  {
    of: 'apid as a client',
    issue: apidClientCertificate,
    subject: 'O=os:impersonator\nCN=cp1.lan',
    usage: 'client',
    days: 1,
    encipherment: false,
  },
  {
    of: 'trustd',
    issue: trustdCertificate,
    subject: 'CN=cp1.lan',
    usage: 'server',
    days: 1,
    hosts,
    encipherment: true,
  },
  { of: 'etcd', issue: etcdServerCertificate, ...etcd, usage: 'peer', hosts: local },
  { of: 'etcd for members', issue: etcdPeerCertificate, ...etcd, usage: 'peer', hosts },
  { of: 'a client of etcd', issue: etcdClientCertificate, ...etcd, usage: 'client' },
  {
    of: 'kube-apiserver',
    issue: kubeApiServerCertificate,
    ...kubernetes,
    subject: 'O=kube-master\nCN=kube-apiserver',
    usage: 'server',
    hosts,
  },
  {
    of: 'kube-apiserver at kubelets',
    issue: apiServerKubeletClientCertificate,
    ...kubernetes,
    subject: 'O=system:masters\nCN=apiserver-kubelet-client',
    usage: 'client',
  },
  {
    of: 'the front proxy',
    issue: frontProxyCertificate,
    ...kubernetes,
    subject: 'CN=front-proxy-client',
    usage: 'client',
  },
  {
    of: 'kubelet as a client',
    issue: kubeletClientCertificate,
    ...kubernetes,
    subject: node,
    usage: 'client',
  },
  {
    of: 'kubelet',
    issue: kubeletServingCertificate,
    ...kubernetes,
    subject: node,
    usage: 'server',
    hosts,
  },
])('the certificate of $of is as Talos has it', async (wanted) => {
  const own = await wanted.issue({ ca, now, name: 'cp1.lan', hosts })

  const found = new X509Certificate(own.certificate)
  const issuer = new X509Certificate(ca.certificate)
  expect(found.verify(issuer.publicKey) && found.checkIssued(issuer)).toBe(true)
  expect(found.subject).toBe(wanted.subject)
  expect(found.keyUsage).toEqual(usages[wanted.usage])
  const bits = wanted.encipherment ? '05a0' : '0780'
  expect(found.raw.includes(Buffer.from(`0603551d0f0101ff04040302${bits}`, 'hex'))).toBe(true)
  expect(new Date(found.validFrom)).toEqual(now)
  const end = Math.min(now.getTime() + wanted.days * DAY_MS, Date.parse(issuer.validTo))
  expect(Date.parse(found.validTo)).toBe(end)
  const named = found.subjectAltName?.split(', ') ?? []
  expect(named).toHaveLength(wanted.hosts?.length ?? 0)
  for (const host of wanted.hosts ?? []) {
    expect(found.checkHost(host) ?? found.checkIP(host)).toBe(host)
  }
})
