import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CertificateAndKey, SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import {
  adminCertificate,
  kubernetesAdminCertificate,
} from '#machineconfig/secrets/certificates.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import {
  apidCertificate,
  etcdClientCertificate,
  etcdPeerCertificate,
  etcdServerCertificate,
  frontProxyCertificate,
  kubeApiServerCertificate,
  kubeletClientCertificate,
  kubeletServingCertificate,
  trustdCertificate,
} from '#machineconfig/secrets/machine-certificates.ts'
import { plainPem, privateKeyOf } from '#machineconfig/secrets/private-key.ts'

const now = new Date()
const machine = { name: 'cp1', hosts: ['cp1', '10.0.0.1', 'fd00::1'], now }

let folder: string
let bundle: SecretsBundle
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talos-operator-openssl-'))
  bundle = await generateBundle({ talosVersion: 'v1.6', now })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const openssl = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)('openssl', args, { cwd: folder })).stdout

type Part = 'talos' | 'etcd' | 'kubernetes' | 'aggregator'
type Issue = (ca: CertificateAndKey) => Promise<CertificateAndKey>

interface Case {
  of: string
  by: Part
  issue: Issue
  purposes: ('sslserver' | 'sslclient')[]
  hosts?: readonly string[]
}

const cases: Case[] = [
  {
    of: 'a client of Talos',
    by: 'talos',
    issue: (ca) => adminCertificate({ ca, roles: ['os:admin', 'os:reader'], now }),
    purposes: ['sslclient'],
  },
  {
    of: 'apid',
    by: 'talos',
    issue: (ca) => apidCertificate({ ca, ...machine }),
    purposes: ['sslserver'],
    hosts: machine.hosts,
  },
  {
    of: 'trustd',
    by: 'talos',
    issue: (ca) => trustdCertificate({ ca, ...machine }),
    purposes: ['sslserver'],
    hosts: machine.hosts,
  },
  {
    of: 'etcd',
    by: 'etcd',
    issue: (ca) => etcdServerCertificate({ ca, ...machine }),
    purposes: ['sslserver', 'sslclient'],
    hosts: [...machine.hosts, 'localhost', '127.0.0.1', '::1'],
  },
  {
    of: 'a member of etcd',
    by: 'etcd',
    issue: (ca) => etcdPeerCertificate({ ca, ...machine }),
    purposes: ['sslserver', 'sslclient'],
    hosts: machine.hosts,
  },
  {
    of: 'a client of etcd',
    by: 'etcd',
    issue: (ca) => etcdClientCertificate({ ca, ...machine }),
    purposes: ['sslclient'],
  },
  {
    of: 'kube-apiserver',
    by: 'kubernetes',
    issue: (ca) => kubeApiServerCertificate({ ca, ...machine }),
    purposes: ['sslserver'],
    hosts: machine.hosts,
  },
  {
    of: 'a kubelet as a client',
    by: 'kubernetes',
    issue: (ca) => kubeletClientCertificate({ ca, ...machine }),
    purposes: ['sslclient'],
  },
  {
    of: 'a kubelet',
    by: 'kubernetes',
    issue: (ca) => kubeletServingCertificate({ ca, ...machine }),
    purposes: ['sslserver'],
    hosts: machine.hosts,
  },
  {
    of: 'the administrator',
    by: 'kubernetes',
    issue: (ca) => kubernetesAdminCertificate({ ca, now }),
    purposes: ['sslclient'],
  },
  {
    of: 'the front proxy',
    by: 'aggregator',
    issue: (ca) => frontProxyCertificate({ ca, now }),
    purposes: ['sslclient'],
  },
]

describe.each(cases)(
  'openssl, with the certificate of $of',
  ({ by, issue, purposes, hosts = [] }) => {
    let leaf: CertificateAndKey
    beforeAll(async () => {
      leaf = await issue(bundle[by])
      await writeFile(join(folder, 'ca.crt'), bundle[by].certificate)
      await writeFile(join(folder, 'leaf.crt'), leaf.certificate)
      await writeFile(join(folder, 'leaf.key'), plainPem(privateKeyOf(leaf.key)).open())
    })

    // Strictly, an authority without a name is none.
    const strict = by === 'aggregator' ? [] : ['-x509_strict']
    const verify = (...args: string[]) =>
      openssl('verify', ...strict, '-check_ss_sig', '-CAfile', 'ca.crt', ...args, 'leaf.crt')

    test.each(['sslserver', 'sslclient'] as const)(
      `takes it for its purposes: %s`,
      async (purpose) => {
        const verdict = verify('-purpose', purpose)
        if (purposes.includes(purpose)) expect(await verdict).toBe('leaf.crt: OK\n')
        else await expect(verdict).rejects.toThrow('verification failed')
      },
    )

    test('finds its hosts', async () => {
      for (const host of hosts) {
        const flag = /^[\d.]+$|:/.test(host) ? '-verify_ip' : '-verify_hostname'
        expect(await verify(flag, host)).toBe('leaf.crt: OK\n')
      }
    })

    test('finds that the key is its own', async () => {
      const [certified, own] = await Promise.all([
        openssl('x509', '-in', 'leaf.crt', '-noout', '-pubkey'),
        openssl('pkey', '-in', 'leaf.key', '-pubout'),
      ])
      expect(certified).toBe(own)
    })

    test('prints what Talos has in a leaf, and nothing more', async () => {
      const text = await openssl('x509', '-in', 'leaf.crt', '-noout', '-text')
      const found = [...text.matchAll(/X509v3 ([A-Z][\w ]+):( critical)?/g)].map(
        ([, name, mark]) => `${name}${mark ?? ''}`,
      )
      expect(found).toEqual([
        'Key Usage critical',
        'Extended Key Usage',
        'Authority Key Identifier',
        ...(hosts.length > 0 ? ['Subject Alternative Name'] : []),
      ])
    })
  },
)
