import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

/**
 * A connection at one remove. TLS reads whatever is a connection of Node's own into 64 KB, which it keeps for as long
 * as that lives; of another stream it takes what came. It ends with its connection, and fails never: what breaks that
 * is told by the connection itself.
 */
export class Relay extends Duplex {
  readonly #socket: Socket

  constructor(socket: Socket) {
    // What came before the end may still wait for its reader, and must not be thrown away with the connection.
    super({ autoDestroy: false })
    this.#socket = socket
    socket
      .on('data', (chunk) => {
        if (!this.push(chunk)) socket.pause()
      })
      .once('end', () => this.push(null))
      .once('close', () => {
        if (!socket.readableEnded) this.destroy()
      })
  }

  override _read(): void {
    this.#socket.resume()
  }

  // TLS says goodbye to who has left, too: nobody listens to a failure of that, and it would end the process.
  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.#socket.write(chunk, () => done())
  }

  override _final(done: () => void): void {
    if (this.#socket.destroyed) done()
    else this.#socket.end(() => done())
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy()
    done(error)
  }
}
