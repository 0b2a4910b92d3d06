import type { X509Certificate } from 'node:crypto'
import { checkServerIdentity, createSecureContext } from 'node:tls'
import { credentials } from '@grpc/grpc-js'
import type { Clock } from '#base/clock.ts'
import { MachineCredentials } from './machine-credentials.ts'
import type { ClusterAccess, MachineTarget, MaintenanceAccess } from './machine-target.ts'
import { pinOf, probe } from './maintenance-probe.ts'
import { MachineError } from './outcome.ts'
import type { SecureContexts } from './secure-contexts.ts'

/** Trusts the machine that the cluster's authority vouches for, under the address that is dialled. */
export const clusterTrust = (
  contexts: SecureContexts,
  address: string,
  access: ClusterAccess,
): MachineCredentials =>
  new MachineCredentials(
    credentials.createFromSecureContext(contexts.of(access), {
      // Said, so that nothing in the environment can say otherwise.
      rejectUnauthorized: true,
      checkServerIdentity: (_name, certificate) => checkServerIdentity(address, certificate),
    }),
  )

interface Looking {
  target: MachineTarget
  access: MaintenanceAccess
  clock: Clock
  /** What the machine is called in messages. */
  where: string
}

/**
 * Looks at the certificate of a machine in maintenance mode, compares its key with the pin if there is
 * one, and trusts exactly that certificate. Throws when it is another one or in no maintenance mode.
 */
export async function maintenanceTrust(
  { target, access, clock, where }: Looking,
  signal: AbortSignal,
): Promise<MachineCredentials> {
  const found = await probe(target, signal)
  if (found.kind === 'configured') {
    throw new MachineError({
      message: `${where} is not in maintenance mode: it asks for a certificate, so it has a configuration`,
      outcome: 'wrong-identity',
      mismatch: 'not-in-maintenance',
    })
  }
  const { certificate } = found
  if (access.pin !== undefined && access.pin !== pinOf(certificate)) {
    throw new MachineError({
      message: `${where} has the key ${pinOf(certificate)}, and the one that it must have is ${access.pin}; it has another one after each boot`,
      outcome: 'wrong-identity',
      mismatch: 'another-key',
    })
  }
  return trustExactly(certificate, access.pin === undefined && !isValidAt(certificate, clock))
}

/**
 * A machine whose clock is wrong has a certificate that seems to be of tomorrow. Without a pin there is
 * nothing to verify that it could spoil.
 */
function trustExactly(certificate: X509Certificate, anyDate: boolean): MachineCredentials {
  const context = createSecureContext({
    ca: certificate.toString(),
    allowPartialTrustChain: true,
    minVersion: 'TLSv1.2',
  })
  return new MachineCredentials(
    credentials.createFromSecureContext(context, {
      rejectUnauthorized: !anyDate,
      // Whose certificate it is follows from the certificate: Node asks only when its dates are right.
      checkServerIdentity: () => undefined,
    }),
    certificate,
  )
}

const isValidAt = ({ validFrom, validTo }: X509Certificate, clock: Clock): boolean => {
  const now = clock.now().getTime()
  return Date.parse(validFrom) <= now && now <= Date.parse(validTo)
}
