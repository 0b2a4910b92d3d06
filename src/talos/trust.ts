import { createHash, type X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { Clock } from '#base/clock.ts'
import type { ClusterAccess, MaintenanceAccess } from './machine-target.ts'
import type { SecureContexts } from './secure-contexts.ts'
import type { Demands } from './tls-socket.ts'

/** It is vouched for, but for another address. */
export class AnotherAddress extends Error {}

/** It has another key than the one that it must have. */
export class AnotherKey extends Error {}

/** Trusts the machine that the cluster's authority vouches for, under the address that is dialled. */
export const clusterTrust = (
  contexts: SecureContexts,
  address: string,
  access: ClusterAccess,
): Demands => ({
  context: contexts.of(access),
  isVouchedFor: true,
  mistaken: (shown) => (isFor(address, shown) ? undefined : new AnotherAddress()),
})

/** By the names that are listed, as Go does: nobody looks at the name of the subject. */
const isFor = (address: string, certificate: X509Certificate): boolean =>
  isIP(address) === 0
    ? certificate.checkHost(address.replace(/\.$/, ''), { subject: 'never' }) !== undefined
    : certificate.checkIP(address) !== undefined

/**
 * Trusts whoever has the key that is pinned, or anyone where none is: a machine in maintenance mode has a
 * certificate that it made itself when it booted. This is the one place where nobody vouches for a machine.
 */
export const maintenanceTrust = (access: MaintenanceAccess, clock: Clock): Demands => ({
  context: nobody(),
  isVouchedFor: false,
  mistaken: (shown) =>
    access.pin === undefined ? undefined : mistakenFor(access.pin, shown, clock),
})

/** Without a pin there is nothing that a wrong clock could spoil. */
function mistakenFor(pin: string, shown: X509Certificate, clock: Clock): Error | undefined {
  if (pinOf(shown) !== pin) {
    return new AnotherKey(
      `has the key ${pinOf(shown)}, and the one that it must have is ${pin}; it has another one after each boot`,
    )
  }
  const now = clock.now().getTime()
  if (now < Date.parse(shown.validFrom)) return new Error('its certificate is not yet valid')
  if (now > Date.parse(shown.validTo)) return new Error('its certificate has expired')
  return undefined
}

/** Base64 of the SHA-256 of a certificate's public key: the pin of a machine. */
export const pinOf = ({ publicKey }: X509Certificate): string =>
  createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64')

let context: SecureContext | undefined

/** Nothing to show, and nobody to trust. One for all: it takes longer to make than a machine to dial. */
const nobody = (): SecureContext => {
  context ??= createSecureContext({ ca: [], minVersion: 'TLSv1.2' })
  return context
}
