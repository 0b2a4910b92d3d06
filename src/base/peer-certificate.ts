import { X509Certificate } from 'node:crypto'
import type { PeerCertificate, TLSSocket } from 'node:tls'

/**
 * The certificate that the other end of a connection showed. Not by `getPeerX509Certificate`: in Node 20 each call takes
 * a certificate out of the chain that came with the connection, and nobody frees it: 4 KB for each
 * connection to whoever shows a chain, and a second call does not get the same.
 */
export function peerCertificate(socket: TLSSocket): X509Certificate | undefined {
  // Nothing in it where none was shown, and nothing at all on a connection that has ended.
  const shown: Partial<PeerCertificate> | null = socket.getPeerCertificate(false)
  return shown?.raw && new X509Certificate(shown.raw)
}
