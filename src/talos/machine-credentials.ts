import type { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { ChannelCredentials } from '@grpc/grpc-js'

type CreateConnector = ChannelCredentials['_createSecureConnector']

/** The credentials of one channel: those given, held to one certificate if that is given too. */
export class MachineCredentials extends ChannelCredentials {
  readonly #given: ChannelCredentials
  readonly #only: X509Certificate | undefined
  readonly #sockets = new Set<Socket>()
  /** Why there can be no connection any more. */
  #isOver: string | undefined

  constructor(given: ChannelCredentials, only?: X509Certificate) {
    super()
    this.#given = given
    this.#only = only
  }

  /**
   * The channel is connected, and has had its connection: grpc-js would dial anew when that breaks, and
   * go on with whoever answers then.
   */
  seal(): void {
    this.#isOver = 'the connection broke'
    this.#sockets.clear()
  }

  /** Ends what the channel has of a connection. Closing a channel that is still dialling does not. */
  abandon(): void {
    this.#isOver = 'the dial was given up'
    for (const socket of this.#sockets) socket.destroy()
    this.#sockets.clear()
  }

  override _isSecure(): boolean {
    return true
  }

  override _equals(other: ChannelCredentials): boolean {
    return this === other
  }

  override _createSecureConnector(
    ...about: Parameters<CreateConnector>
  ): ReturnType<CreateConnector> {
    const connector = this.#given._createSecureConnector(...about)
    return {
      // Asked before each attempt, before there is even TCP.
      waitForReady: async () => {
        this.#assertNotOver()
        await connector.waitForReady()
      },
      connect: async (socket) => {
        this.#assertNotOver()
        this.#sockets.add(socket)
        const connected = await connector.connect(socket)
        // A name may have two addresses, and both answer.
        this.#assertNotOver()
        this.#verify(connected.socket)
        sparePeerCertificate(connected.socket)
        return connected
      },
      getCallCredentials: () => connector.getCallCredentials(),
      destroy: () => connector.destroy(),
    }
  }

  #assertNotOver(): void {
    if (this.#isOver !== undefined) throw new Error(this.#isOver)
  }

  #verify(socket: Socket): void {
    if (!this.#only) return
    const shown = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined
    if (!shown?.raw.equals(this.#only.raw)) {
      throw new Error('the certificate changed between two connections')
    }
  }
}

/**
 * It has been verified. grpc-js takes it apart once more, for call credentials to look at, which we have
 * none of: that is one part in thirty of what a dial costs.
 */
const sparePeerCertificate = (socket: Socket): void => {
  Object.defineProperty(socket, 'getPeerCertificate', { value: () => ({}) })
}
