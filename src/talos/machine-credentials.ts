import type { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { ChannelCredentials } from '@grpc/grpc-js'
import { onAbort } from '#base/on-abort.ts'
import { untilAborted } from '#base/share-runs.ts'

type CreateConnector = ChannelCredentials['_createSecureConnector']

/** The credentials of one channel: those given, held to one certificate if that is given too. */
export class MachineCredentials extends ChannelCredentials {
  readonly #given: ChannelCredentials
  readonly #only: X509Certificate | undefined
  readonly #stop = new AbortController()

  constructor(given: ChannelCredentials, only?: X509Certificate) {
    super()
    this.#given = given
    this.#only = only
  }

  /** Ends what the channel has of a connection. Closing a channel that is still dialling does not. */
  abandon(): void {
    this.#stop.abort(new Error('the dial was given up'))
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
      connect: async (socket) => {
        onAbort(this.#stop.signal, () => socket.destroy())
        const connected = await untilAborted(connector.connect(socket), this.#stop.signal)
        this.#verify(connected.socket)
        return connected
      },
      waitForReady: () => connector.waitForReady(),
      getCallCredentials: () => connector.getCallCredentials(),
      destroy: () => connector.destroy(),
    }
  }

  #verify(socket: Socket): void {
    if (!this.#only) return
    const shown = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined
    if (!shown?.raw.equals(this.#only.raw)) {
      throw new Error('the certificate changed between two connections')
    }
  }
}
