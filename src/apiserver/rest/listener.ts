import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { BindAddress } from '#base/address.ts'
import type { Secret } from '#base/secret.ts'
import type { RestServer } from './server.ts'

interface Identity {
  /** PEM: the only one whose clients are known by their certificates. */
  authority: string
  server: { certificate: string; key: Secret<string> }
}

// Clients keep their connections for minutes; a load balancer, if any, for less.
const KEEP_ALIVE_MS = 90_000
const HEADERS_WITHIN_MS = 10_000
const BODY_WITHIN_MS = 60_000
const MOST_CONNECTIONS = 10_000

/** Where the API is reached. Disposing of it ends every connection. */
export interface Listener extends AsyncDisposable {
  port: number
  /** Shows another certificate to whoever connects from now on. */
  identifyAs(identity: Identity): void
}

/** Listens for requests over TLS. Rejects when the address cannot be had. */
export async function listen(
  rest: RestServer,
  address: BindAddress,
  identity: Identity,
): Promise<Listener> {
  const server = createServer(
    {
      ...contextOf(identity),
      requestCert: true,
      // Who has no certificate of ours may have a token; it is the gate that turns people away.
      rejectUnauthorized: false,
      minVersion: 'TLSv1.2',
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_WITHIN_MS,
      requestTimeout: BODY_WITHIN_MS,
      maxHeaderSize: 64 * 1024,
      noDelay: true,
    },
    (request, response) => void rest.handle(request, response),
  )
  server.maxConnections = MOST_CONNECTIONS
  server.listen(address.port, address.host)
  await once(server, 'listening')
  return {
    port: portOf(server),
    identifyAs: (next) => server.setSecureContext(contextOf(next)),
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

const contextOf = ({ authority, server }: Identity) => ({
  ca: authority,
  cert: server.certificate,
  key: server.key.open(),
})

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address()
  return typeof address === 'object' && address ? address.port : 0
}
