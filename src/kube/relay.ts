import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

/**
 * A connection at one remove. TLS reads whatever is a connection of Node's own into 64 KB, which it keeps for as long
 * as that lives; of another stream it takes what came. Ends, fails and is destroyed with its connection.
 */
export class Relay extends Duplex {
  readonly #socket: Socket

  constructor(socket: Socket) {
    super()
    this.#socket = socket
    socket
      .on('data', (chunk) => {
        if (!this.push(chunk)) socket.pause()
      })
      .once('end', () => this.push(null))
      .once('close', () => this.destroy())
  }

  override _read(): void {
    this.#socket.resume()
  }

  override _write(chunk: Buffer, _: string, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done)
  }

  override _final(done: () => void): void {
    this.#socket.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy()
    done(error)
  }
}
