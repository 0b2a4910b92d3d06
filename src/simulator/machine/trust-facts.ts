import { createHash } from 'node:crypto'
import type { ConfigPlace } from '#machineconfig/secrets/config-place.ts'
import { decodedPem } from '#machineconfig/secrets/encoded-pem.ts'
import type { DocumentOf } from './document-of.ts'

/** By what machines of a cluster know each other. Digests: nothing here lets anybody in. */
export interface TrustFacts {
  /** Between the machines themselves: the token for trustd, and the authorities of their API. */
  readonly machines: Trust
  /** Between the members of etcd: its authority. */
  readonly etcd: string
  /** Between kubelets and API servers: the bootstrap token, and the authorities of Kubernetes. */
  readonly kubernetes: Trust
}

export interface Trust {
  readonly token: string
  /** Of the authority that signs here. */
  readonly authority: string
  /** Of all authorities that are believed. */
  readonly accepted: readonly string[]
}

interface Parts {
  readonly machine: ConfigPlace
  readonly cluster: ConfigPlace
  readonly document: DocumentOf
}

/** Reads what a machine shows others, and what it asks of them. */
export function trustFacts({ machine, cluster, document }: Parts): TrustFacts {
  const authority = document('KubeAPIServerCAConfig')
  const issuing = authority.text('issuingCA', 'cert')
  return {
    machines: trust(machine.text('token'), {
      authority: pemOf(machine.text('ca', 'crt')),
      accepted: acceptedIn(machine),
    }),
    etcd: digest(pemOf(cluster.text('etcd', 'ca', 'crt'))),
    kubernetes: trust(cluster.text('token'), {
      authority: issuing || pemOf(cluster.text('ca', 'crt')),
      accepted: [
        ...acceptedIn(cluster),
        ...authority.at('acceptedCAs').items.map(({ value }) => String(value)),
      ],
    }),
  }
}

/** Whether a machine that shows this token is let in, and believes who lets it in. */
export const letsIn = (host: Trust, guest: Trust, needsToken = true): boolean =>
  (!needsToken || host.token === guest.token) && guest.accepted.includes(host.authority)

const trust = (
  token: string,
  { authority, accepted }: { authority: string; accepted: readonly string[] },
): Trust => ({
  token: digest(token),
  authority: digest(authority),
  accepted: [authority, ...accepted].filter((pem) => pem !== '').map(digest),
})

const acceptedIn = (section: ConfigPlace): readonly string[] =>
  section.at('acceptedCAs').items.map((one) => pemOf(one.text('crt')))

function pemOf(text: string): string {
  const pem = decodedPem(text)
  return typeof pem === 'string' ? pem : ''
}

const digest = (text: string): string => createHash('sha256').update(text.trim()).digest('hex')
