import { once } from 'node:events'
import { createServer as createHttps, type Server as HttpsServer } from 'node:https'
import { createServer, type Server, type Socket } from 'node:net'
import type { RestServer } from '#apiserver/rest/server.ts'
import type { BindAddress } from '#base/address.ts'
import type { Log } from '#base/log.ts'
import { messageOf } from '#base/operator-error.ts'
import type { CertificateAndKey } from '#machineconfig/secrets/bundle.ts'

export interface ApiDoorOptions {
  address: BindAddress
  rest: RestServer
  /** PEM: whose clients are known by their certificates. */
  authority: string
  /** What the server shows. Asked for when the first client comes. */
  identity(): Promise<CertificateAndKey>
  log: Log
}

/** Where an API is reached. Disposing of it ends every connection. */
export interface ApiDoor extends AsyncDisposable {
  port: number
}

/** Opens a door. Rejects when the address cannot be had. */
export type OpenApiDoor = (options: ApiDoorOptions) => Promise<ApiDoor>

const MOST_CONNECTIONS = 1_000

/**
 * Listens at an address. All that TLS needs is made when the first client comes: of a thousand clusters' doors most
 * are never knocked at, and one that is open costs twenty times one that is only there.
 */
export async function openApiDoor(options: ApiDoorOptions): Promise<ApiDoor> {
  const sockets = new Set<Socket>()
  let secured: Promise<HttpsServer> | undefined
  const server = createServer({ noDelay: true, pauseOnConnect: true }, (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    secured ??= secure(options)
    secured.then(
      (https) => {
        https.emit('connection', socket)
        socket.resume()
      },
      (error: unknown) => {
        options.log.error('no certificate for the API', { error: messageOf(error) })
        secured = undefined
        socket.destroy()
      },
    )
  })
  server.maxConnections = MOST_CONNECTIONS
  server.listen(options.address.port, options.address.host)
  await once(server, 'listening')
  return {
    port: portOf(server),
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

async function secure({ rest, authority, identity }: ApiDoorOptions): Promise<HttpsServer> {
  const { certificate, key } = await identity()
  return createHttps(
    {
      ca: authority,
      cert: certificate,
      key: key.open(),
      requestCert: true,
      // Who has no certificate of the cluster may have a token; it is the gate that turns people away.
      rejectUnauthorized: false,
      minVersion: 'TLSv1.2',
      maxHeaderSize: 64 * 1024,
    },
    (request, response) => void rest.handle(request, response),
  )
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}
