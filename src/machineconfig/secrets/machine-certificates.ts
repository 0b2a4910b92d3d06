import type { CertificateAndKey } from './bundle.ts'
import { issueLeaf, type LeafRequest } from './leaf.ts'

// What machines issue to themselves: apid, trustd, etcd, kube-apiserver and kubelet as Talos runs them.

const DAY_MS = 24 * 3_600_000
const YEAR_MS = 365 * DAY_MS
const TEN_YEARS_MS = 10 * YEAR_MS

interface Issuing {
  /** The authority of the program that is to have the certificate. */
  readonly ca: CertificateAndKey
  readonly now: Date
}

export interface Serving extends Issuing {
  /** Of the machine: its host name, with its domain if it has one; for kubelets the name of the node. */
  readonly name: string
  /** Names and addresses by which it is reached. */
  readonly hosts: readonly string[]
}

export type Calling = Omit<Serving, 'hosts'>

type Profile = Omit<LeafRequest, 'notBefore'>

const issue = ({ ca, now }: Issuing, profile: Profile): Promise<CertificateAndKey> =>
  issueLeaf(ca, { ...profile, notBefore: now })

/** Of the Talos API of a machine. */
export const apidCertificate = (machine: Serving): Promise<CertificateAndKey> =>
  issue(machine, {
    commonName: machine.name,
    hosts: machine.hosts,
    usage: 'server',
    lifetimeMs: DAY_MS,
  })

/** With which the API of a control plane machine calls those of others for its users. */
export const apidClientCertificate = (machine: Calling): Promise<CertificateAndKey> =>
  issue(machine, {
    commonName: machine.name,
    organizations: ['os:impersonator'],
    usage: 'client',
    lifetimeMs: DAY_MS,
  })

/** Of trustd, which signs the certificates of workers. */
export const trustdCertificate = (machine: Serving): Promise<CertificateAndKey> =>
  issue(machine, {
    commonName: machine.name,
    hosts: machine.hosts,
    usage: 'server',
    encipherment: true,
    lifetimeMs: DAY_MS,
  })

/** Of etcd, for its clients; it is reached by the machine itself too. */
export const etcdServerCertificate = (machine: Serving): Promise<CertificateAndKey> =>
  etcdPeerCertificate({
    ...machine,
    hosts: [...machine.hosts, 'localhost', '127.0.0.1', '::1'],
  })

/** Of etcd, for the other members. */
export const etcdPeerCertificate = (machine: Serving): Promise<CertificateAndKey> =>
  issue(machine, {
    commonName: machine.name,
    hosts: machine.hosts,
    usage: 'peer',
    encipherment: true,
    lifetimeMs: TEN_YEARS_MS,
  })

/** Of a client of etcd: Talos itself is `talos`, the API server `kube-apiserver`. */
export const etcdClientCertificate = (client: Calling): Promise<CertificateAndKey> =>
  issue(client, {
    commonName: client.name,
    usage: 'client',
    encipherment: true,
    lifetimeMs: TEN_YEARS_MS,
  })

const KUBERNETES = { encipherment: true, lifetimeMs: YEAR_MS } as const

/** Of the Kubernetes API. */
export const kubeApiServerCertificate = (
  server: Omit<Serving, 'name'>,
): Promise<CertificateAndKey> =>
  issue(server, {
    ...KUBERNETES,
    commonName: 'kube-apiserver',
    organizations: ['kube-master'],
    hosts: server.hosts,
    usage: 'server',
  })

/** With which the API server calls kubelets. */
export const apiServerKubeletClientCertificate = (server: Issuing): Promise<CertificateAndKey> =>
  issue(server, {
    ...KUBERNETES,
    commonName: 'apiserver-kubelet-client',
    organizations: ['system:masters'],
    usage: 'client',
  })

/** With which the API server calls aggregated ones; its authority is the aggregator's. */
export const frontProxyCertificate = (server: Issuing): Promise<CertificateAndKey> =>
  issue(server, { ...KUBERNETES, commonName: 'front-proxy-client', usage: 'client' })

/** With which a kubelet calls the API server. */
export const kubeletClientCertificate = (node: Calling): Promise<CertificateAndKey> =>
  issue(node, { ...KUBERNETES, ...nodeName(node), usage: 'client' })

/** Of a kubelet, for the API server. */
export const kubeletServingCertificate = (node: Serving): Promise<CertificateAndKey> =>
  issue(node, { ...KUBERNETES, ...nodeName(node), hosts: node.hosts, usage: 'server' })

const nodeName = ({ name }: Calling) => ({
  commonName: `system:node:${name}`,
  organizations: ['system:nodes'],
})
