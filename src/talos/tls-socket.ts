import type { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext, TLSSocket } from 'node:tls'
import { onAbort } from '#base/on-abort.ts'
import { peerCertificate } from '#base/peer-certificate.ts'
import { type MachineTarget, portOf } from './machine-target.ts'

/** What is demanded of whoever answers, before anything is said. */
export interface Demands {
  /** Who can vouch for it, and who we are. */
  context: SecureContext
  /** Whether somebody has to. */
  isVouchedFor: boolean
  /** Why its certificate is not that of whom we mean, if it is not. */
  mistaken(shown: X509Certificate): Error | undefined
}

/**
 * Connects to a machine, over TLS. Rejects when nobody answers, when it is not whom we mean, and with the
 * signal's reason when that aborts.
 */
export async function tlsSocket(
  target: MachineTarget,
  demands: Demands,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const tcp = connectTcp({ host: target.address, port: portOf(target), noDelay: true })
  const leave = onAbort(signal, () => tcp.destroy())
  try {
    // Only now: TLS takes 30 KB, and most of those that are waited for are machines that are off.
    await connected(tcp, 'connect')
    return await secured(tcp, target, demands)
  } catch (error) {
    tcp.destroy()
    throw signal.aborted ? signal.reason : error
  } finally {
    leave()
  }
}

async function secured(
  tcp: Socket,
  { address }: MachineTarget,
  { context, isVouchedFor, mistaken }: Demands,
): Promise<TLSSocket> {
  const mistake = (): Error | undefined => {
    const shown = peerCertificate(socket)
    return shown ? mistaken(shown) : new Error('it showed no certificate')
  }
  const socket = connectTls({
    ...{ socket: tcp, secureContext: context, ALPNProtocols: ['h2'] },
    ...(isIP(address) === 0 && { servername: address }),
    // Said, so that nothing in the environment can say otherwise.
    rejectUnauthorized: isVouchedFor,
    // Asked only once somebody has vouched for it.
    checkServerIdentity: mistake,
  })
  spareCertificate(socket)
  await connected(socket, 'secureConnect')
  const why = isVouchedFor ? undefined : mistake()
  if (why) throw why
  if (socket.alpnProtocol !== 'h2') throw new Error('it does not speak HTTP/2')
  return socket
}

const connected = async (socket: Socket, event: string): Promise<void> => {
  const closed = once(socket, 'close').then(() => {
    throw new Error('it ended the connection during the TLS handshake')
  })
  await Promise.race([once(socket, event), closed])
}

/** Node takes the whole chain apart for us to look at, which takes longer than to verify it, and nobody does. */
const spareCertificate = (socket: TLSSocket): void => {
  const { getPeerCertificate } = TLSSocket.prototype
  Object.defineProperty(socket, 'getPeerCertificate', {
    value: (isDetailed?: boolean) => (isDetailed ? {} : getPeerCertificate.call(socket, false)),
  })
}
