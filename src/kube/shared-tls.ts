import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import {
  type ConnectionOptions,
  connect,
  createSecureContext,
  type SecureContext,
  type SecureContextOptions,
  type TLSSocket,
} from 'node:tls'

/** What all connections to one server have in common: whom they trust, and what they show. */
export type TlsOptions = SecureContextOptions &
  Pick<ConnectionOptions, 'servername' | 'rejectUnauthorized'>

/**
 * TLS over connections that have come about. It takes milliseconds and 33 KB to read a key and
 * certificates, which is done once, and not for a server that nothing leads to.
 */
export class SharedTls {
  readonly #options: TlsOptions
  #context: SecureContext | undefined

  constructor(options: TlsOptions) {
    this.#options = options
  }

  /** Begins TLS with the server of this name or address. Throws when the key or a certificate is none. */
  over(socket: Duplex, host: string): TLSSocket {
    const { servername, rejectUnauthorized } = this.#options
    this.#context ??= createSecureContext(this.#options)
    return connect({
      ...{ socket, host, secureContext: this.#context },
      servername: servername ?? (isIP(host) ? '' : host),
      ...(rejectUnauthorized !== undefined && { rejectUnauthorized }),
    })
  }
}
