import type { ServerResponse } from 'node:http'

/** An open watch, as its client gets it: what the server sends, less what a fault keeps back. */
export class WatchOutlet {
  readonly #response: ServerResponse
  #isFrozen = false
  #isEnded = false
  #missesNext = false

  constructor(response: ServerResponse) {
    this.#response = response
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
  }

  /** Sends one event, which is a line of its own. */
  send(line: string): void {
    if (this.#isFrozen || this.#isEnded) return
    const isLost = this.#missesNext && !line.startsWith('{"type":"BOOKMARK"')
    if (isLost) this.#missesNext = false
    else this.#response.write(line)
  }

  /** Sends a text as it is, whatever it is. Resolves when it is under way. */
  async sendText(text: string): Promise<void> {
    if (this.#isFrozen || this.#isEnded) return
    await new Promise<void>((resolve) => this.#response.write(text, () => resolve()))
  }

  /** Ends the watch as a server does after a while. */
  end(): void {
    if (this.#isFrozen) return
    this.#isEnded = true
    this.#response.end()
  }

  /** Breaks the connection. */
  break(): void {
    this.#response.destroy()
  }

  /** Keeps the connection, and sends nothing ever after. */
  freeze(): void {
    this.#isFrozen = true
  }

  /** The next event gets lost. Bookmarks are none. */
  missNext(): void {
    this.#missesNext = true
  }

  /** Calls back when the watch is over, whoever ended it. */
  onClose(callback: () => void): void {
    this.#response.once('close', callback)
  }
}
