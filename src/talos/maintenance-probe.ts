// The one place where the certificate of a machine is not verified: a machine in maintenance mode has
// one that it made itself when it booted.

import { createHash, type X509Certificate } from 'node:crypto'
import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls'
import { onAbort } from '#base/on-abort.ts'
import { type MachineTarget, portOf } from './machine-target.ts'

/** What a machine showed to somebody without credentials. */
export type Probed =
  | { kind: 'maintenance'; certificate: X509Certificate }
  /** It asks for a certificate: it has a configuration. */
  | { kind: 'configured' }

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

/**
 * Dials without credentials and without verification, looks who answers, and hangs up. Nothing is
 * sent. Rejects when nobody answers, and with the signal's reason when that aborts.
 */
export function probe(target: MachineTarget, signal: AbortSignal): Promise<Probed> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: target.address,
      port: portOf(target),
      rejectUnauthorized: false,
      ALPNProtocols: ['h2'],
      secureContext: nobody(),
    })
    const leave = onAbort(signal, () => socket.destroy(asError(signal.reason)))
    socket.on('error', (error) => {
      if (isAskedForCertificate(error)) resolve({ kind: 'configured' })
      else reject(signal.aborted ? signal.reason : error)
    })
    // With TLS 1.3 a server refuses after we are done: only what it sends then says that it did not.
    socket.once('data', () => {
      resolve(shownOn(socket))
      socket.destroy()
    })
    socket.once('close', () => {
      leave()
      // Does nothing if one of the above has been.
      reject(new Error('it closed the connection during the TLS handshake'))
    })
  })
}

const shownOn = (socket: TLSSocket): Probed => {
  const certificate = socket.getPeerX509Certificate()
  return certificate ? { kind: 'maintenance', certificate } : { kind: 'configured' }
}

const isAskedForCertificate = (error: Error): boolean =>
  /alert certificate required|alert bad certificate|alert handshake failure/.test(error.message)

const asError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error(String(reason))
