import { Agent, type AgentOptions, type RequestOptions } from 'node:https'
import { connect, type Socket } from 'node:net'
import { type Connected, refuse, type SharedTls } from './shared-tls.ts'

// Nobody tells a connection that comes about that whoever wanted it has left.
const CONNECT_WITHIN_MS = 15_000

/** Connects first and thinks of TLS then: a server that is off costs next to nothing. */
export class DirectAgent extends Agent {
  readonly #tls: SharedTls
  readonly #connecting = new Set<Socket>()

  constructor(tls: SharedTls, options: AgentOptions) {
    super(options)
    this.#tls = tls
  }

  override createConnection({ host, port }: RequestOptions, callback?: Connected): undefined {
    const { keepAliveMsecs } = this.options
    const at = host ?? ''
    const socket = connect({
      ...{ host: at, port: Number(port), noDelay: true, keepAlive: true },
      ...(keepAliveMsecs !== undefined && { keepAliveInitialDelay: keepAliveMsecs }),
    })
    const fail = (error: Error) => {
      this.#connecting.delete(socket)
      socket.destroy()
      refuse(callback, error)
    }
    this.#connecting.add(socket)
    socket
      .setTimeout(CONNECT_WITHIN_MS, () => socket.destroy(new NotInTime()))
      .once('error', fail)
      .once('connect', () => {
        socket.setTimeout(0)
        socket.off('error', fail)
        this.#connecting.delete(socket)
        this.#tls.hand(socket, at, callback)
      })
    return undefined
  }

  override destroy(): void {
    for (const socket of this.#connecting) socket.destroy(new Error('it is no longer needed'))
    super.destroy()
  }
}

class NotInTime extends Error {
  readonly code = 'ETIMEDOUT'

  constructor() {
    super(`no connection within ${CONNECT_WITHIN_MS / 1e3} s`)
  }
}
