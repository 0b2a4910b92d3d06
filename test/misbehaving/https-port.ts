import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { Credentials } from '#test/conformance/kubernetes/certificates.ts'

interface PortOptions extends Credentials {
  /** Who issues the certificates of clients, PEM. */
  ca: string
}

/** A port on loopback that can be closed and opened again, and stays the same. */
export class HttpsPort {
  readonly #server: Server
  #port = 0

  constructor({ ca, certificate, key }: PortOptions, serve: RequestListener) {
    this.#server = createServer(
      {
        ...{ ca, cert: certificate, key },
        requestCert: true,
        // Who shows no certificate may have a token.
        rejectUnauthorized: false,
        // A client must not find a connection closed that it was about to use again.
        keepAliveTimeout: 0,
      },
      serve,
    )
  }

  /** Opens the port, or closes it and breaks all connections. Resolves to the URL. */
  async listen(on: boolean): Promise<string> {
    if (on && !this.#server.listening) {
      this.#server.listen(this.#port, '127.0.0.1')
      await once(this.#server, 'listening')
      const address = this.#server.address()
      this.#port = typeof address === 'object' && address ? address.port : 0
    }
    if (!on && this.#server.listening) {
      this.#server.close()
      this.#server.closeAllConnections()
      await once(this.#server, 'close')
    }
    return `https://127.0.0.1:${this.#port}`
  }
}
