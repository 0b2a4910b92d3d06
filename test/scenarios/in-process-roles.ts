import type { Clock } from '#base/clock.ts'
import { type ApiKeys, apiKeysOf } from '#simulator/services/config-keys.ts'
import { minorOf } from '#simulator/services/minor-of.ts'
import { ANONYMOUS, type Roles } from '#simulator/services/roles.ts'
import { ALL_ROLES, checksUsage, isClientOnly, rolesOf } from '#simulator/wire/caller.ts'
import type { Directory, Endpoint } from '#simulator/wire/endpoint.ts'
import { signerFor } from '#simulator/wire/neighbours.ts'
import { type ClusterAccess, type MachineTarget, wordsFor } from '#talos/machine-target.ts'
import { MachineError, type Mismatch } from '#talos/outcome.ts'
import { certificateOf, certificatesIn, isGood } from './client-socket.ts'

interface Surroundings {
  directory: Directory
  clock: Clock
}

/** What a caller may do, if both ends take each other for who they say they are. Throws as a dial over TLS would. */
export function rolesAt(
  { machine }: Endpoint,
  target: MachineTarget,
  { directory, clock }: Surroundings,
): Roles {
  const { access } = target
  const where = wordsFor(target)
  if (access.kind === 'maintenance') {
    if (access.pin !== undefined) throw new Error('in this process no machine has a key to pin')
    if (machine.door === 'maintenance') return ANONYMOUS
    throw wrong(
      'not-in-maintenance',
      `${where} is not in maintenance mode: it asks for a certificate, so it has a configuration`,
    )
  }
  const isNot = `${where} is not the machine that we mean:`
  if (machine.door === 'maintenance') {
    const why = 'it is in maintenance mode, so it does not have the configuration of this cluster'
    throw wrong('in-maintenance', `${isNot} ${why}`)
  }
  const keys = apiKeysOf(machine.config)
  const signer = keys && signerFor(machine, keys, directory)
  if (!signer) throw new Error('read ECONNRESET')
  const [own = ''] = certificatesIn(signer.certificate)
  if (!certificatesIn(access.authority).includes(own)) {
    throw wrong('another-cluster', `${isNot} its certificate is not of this cluster`)
  }
  return clientRoles(access, keys, { minor: minorOf(machine), clock })
}

function clientRoles(
  { certificate: pem }: ClusterAccess,
  keys: ApiKeys,
  { minor, clock }: { minor: number; clock: Clock },
): Roles {
  const certificate = certificateOf(pem)
  const accepted = keys.accepted.map(certificateOf)
  if (!isGood(certificate, accepted, clock))
    throw new Error('it ended the connection during the TLS handshake')
  const shown = certificate.toLegacyObject()
  if (checksUsage(keys, minor) && !isClientOnly(shown)) throw new Error('read ECONNRESET')
  return keys.hasRoles || minor >= 13 ? rolesOf(shown) : ALL_ROLES
}

const wrong = (mismatch: Mismatch, message: string): MachineError =>
  new MachineError({ message, outcome: 'wrong-identity', mismatch })
