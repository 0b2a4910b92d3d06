import { isIP, type Socket } from 'node:net'
import { type Duplex, PassThrough } from 'node:stream'
import {
  type ConnectionOptions,
  connect,
  createSecureContext,
  type SecureContext,
  type SecureContextOptions,
  type TLSSocket,
} from 'node:tls'
import { Relay } from './relay.ts'

/** What all connections to one server have in common: whom they trust, and what they show. */
export type TlsOptions = SecureContextOptions &
  Pick<ConnectionOptions, 'servername' | 'rejectUnauthorized'> & {
    /** Whether each holds less, and costs more for what goes over it. */
    isSmall?: boolean
  }

/** How an agent of Node is told of a connection, or why there is none. */
export type Connected = (error: Error | null, stream: Duplex) => void

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
  over(socket: Socket, host: string): TLSSocket {
    const { servername, rejectUnauthorized, isSmall } = this.#options
    this.#context ??= createSecureContext(this.#options)
    const tls = connect({
      ...{ socket: isSmall ? new Relay(socket) : socket, host, secureContext: this.#context },
      servername: servername ?? (isIP(host) ? '' : host),
      ...(rejectUnauthorized !== undefined && { rejectUnauthorized }),
    })
    if (isSmall) {
      // Only of a connection of its own does TLS know when it breaks, and that one that was left by the server is over.
      socket.once('error', (error) => tls.destroy(error))
      tls.allowHalfOpen = false
    }
    return tls
  }
  /** The same for an agent, which is told what was thrown; the connection is gone then. */
  hand(socket: Socket, host: string, connected: Connected | undefined): void {
    try {
      connected?.(null, this.over(socket, host))
    } catch (error) {
      socket.destroy()
      refuse(connected, error instanceof Error ? error : new Error(String(error)))
    }
  }
}

/** Tells an agent that there is no connection. */
export const refuse = (connected: Connected | undefined, error: Error): void =>
  // The type wants a stream beside the error; nobody looks at it.
  connected?.(error, new PassThrough())
