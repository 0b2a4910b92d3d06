import { generateKeyPairSync } from 'node:crypto'
import { ServerCredentials } from '@grpc/grpc-js'
import { Secret } from '#base/secret.ts'
import { type Credentials, createAuthority, issueCertificate } from '#base/x509.ts'
import type { CertificateAndKey } from '#machineconfig/secrets/bundle.ts'
import { apidCertificate } from '#machineconfig/secrets/machine-certificates.ts'
import { plainPem, privateKeyOf } from '#machineconfig/secrets/private-key.ts'
import type { Machine } from '#simulator/machine/machine.ts'
import type { ApiKeys } from '#simulator/services/config-keys.ts'

const DAY_MS = 24 * 3_600_000
// A client whose clock is a little behind is let in.
const SKEW_MS = 60_000

/** An authority that nobody knows, for the certificates of machines that wait for their configuration. */
export function throwAwayAuthority(now: Date): Credentials {
  const lifetime = { notBefore: earlier(now), notAfter: new Date(now.getTime() + 2 * DAY_MS) }
  return createAuthority({ organizations: ['talos'] }, newKey(), lifetime)
}

/** With which a machine that waits for its configuration meets anyone. */
export function maintenanceCredentials(
  machine: Machine,
  authority: Credentials,
  now: Date,
): ServerCredentials {
  const { certificate, key } = issueCertificate(authority, {
    commonName: machine.hostname || 'maintenance-service.talos.dev',
    hosts: hostsOf(machine),
    usage: 'server',
    key: newKey(),
    validity: { notBefore: earlier(now), notAfter: new Date(now.getTime() + DAY_MS) },
  })
  // Nobody is asked for a certificate. Without any authority Node would read all that it has, for each machine.
  return ServerCredentials.createSsl(bytesOf(authority.certificate), [pair(certificate, key)])
}

interface ClusterDoor {
  readonly machine: Machine
  readonly keys: ApiKeys
  /** The authority with its key: the machine's own, or for workers that of a control plane. */
  readonly signer: CertificateAndKey
  readonly now: Date
}

/** With which a machine of a cluster meets those who have a certificate of that cluster, and nobody else. */
export async function clusterCredentials(door: ClusterDoor): Promise<ServerCredentials> {
  const { machine, keys, signer, now } = door
  const { certificate, key } = await apidCertificate({
    ca: signer,
    name: machine.hostname,
    hosts: [...new Set([...hostsOf(machine), machine.hostname, ...keys.certSans])],
    now: earlier(now),
  })
  const trusted = bytesOf(keys.accepted.join('\n'))
  const own = pair(certificate, plainPem(privateKeyOf(key)))
  return ServerCredentials.createSsl(trusted, [own], true)
}

const earlier = (now: Date): Date => new Date(now.getTime() - SKEW_MS)

const hostsOf = ({ address }: Machine): readonly string[] => [address]

const pair = (certificate: string, key: Secret<string>) => ({
  cert_chain: bytesOf(certificate),
  private_key: bytesOf(key.open()),
})

/** In memory of their own: Node cuts short buffers from a piece of 8 KiB, and one that is kept keeps all of it. */
const bytesOf = (pem: string): Buffer => Buffer.from(new TextEncoder().encode(pem).buffer)

function newKey(): Secret<string> {
  const { privateKey } = generateKeyPairSync('ed25519')
  return new Secret(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
}
