import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import type { RestServer } from '#apiserver/rest/server.ts'
import { onAbort } from '#base/on-abort.ts'
import type { CarriedRequest, Response } from '#kube/access.ts'

/** Asks an API in this process. `socket` says who asks, as that of a connection would. */
export function askRest(
  rest: RestServer,
  request: Pick<CarriedRequest, 'method' | 'url' | 'headers' | 'body' | 'signal'>,
  socket: TLSSocket,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { signal } = request
    if (signal.aborted) return reject(signal.reason)
    let isBegun = false
    const reply = new Reply((response) => {
      isBegun = true
      resolve(response)
    })
    const stop = () => {
      reject(signal.reason)
      reply.body.destroy(hangUp())
    }
    const leave = onAbort(signal, stop)
    reply.once('close', () => {
      leave()
      if (!isBegun) reject(hangUp())
    })
    const asked = incoming(request, socket) as IncomingMessage // as far as the API looks at it
    const answer = reply as unknown as ServerResponse // as far as the API looks at it
    void rest.handle(asked, answer)
  })
}

/** What Node says when the other end is gone. */
export const hangUp = (): Error =>
  Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })

function incoming(
  { method, url, headers, body }: Pick<CarriedRequest, 'method' | 'url' | 'headers' | 'body'>,
  socket: TLSSocket,
): unknown {
  // A stream costs more than most of what is asked, and most of what is asked has no body.
  const stream = body ? Readable.from([Buffer.from(body)]) : new Nothing()
  const rawHeaders = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => [name, one]),
  )
  const path = `${url.pathname}${url.search}`
  return Object.assign(stream, { method, url: path, headers, rawHeaders, socket, complete: true })
}

/** A body without anything in it. */
class Nothing extends EventEmitter {
  override on(event: string, listener: () => void): this {
    if (event === 'end') queueMicrotask(listener)
    return this
  }
}

/** What an API writes its answer to. */
class Reply extends EventEmitter {
  readonly body: Readable
  headersSent = false
  writableEnded = false
  writableNeedDrain = false
  /** Nothing can be held back on it. */
  readonly socket = null
  readonly #headers: Record<string, string> = {}
  readonly #begin: (response: Response) => void

  constructor(begin: (response: Response) => void) {
    super()
    this.#begin = begin
    this.body = new Readable({
      read: () => this.#drain(),
      destroy: (error, done) => {
        this.emit('close')
        done(error)
      },
    })
    // Whoever reads it is told; nobody may read it any more.
    this.body.on('error', () => {})
  }

  get destroyed(): boolean {
    return this.body.destroyed
  }

  get writableLength(): number {
    return this.body.readableLength
  }

  setHeader(name: string, value: string | number | readonly string[]): void {
    this.#headers[name.toLowerCase()] = [value].flat().join(', ')
  }

  writeHead(status: number, headers: Record<string, string | number>): void {
    for (const [name, value] of Object.entries(headers)) this.setHeader(name, value)
    this.headersSent = true
    this.#begin({ status, headers: this.#headers, body: this.body })
  }

  flushHeaders(): void {}

  write(bytes: Buffer | string, done?: () => void): boolean {
    if (this.destroyed) return false
    const isRoom = this.body.push(bytes)
    this.writableNeedDrain = !isRoom
    if (done) queueMicrotask(done)
    return isRoom
  }

  end(bytes?: Buffer | string): void {
    if (this.writableEnded || this.destroyed) return
    this.writableEnded = true
    if (bytes && bytes.length > 0) this.body.push(bytes)
    this.body.push(null)
  }

  destroy(): void {
    this.body.destroy(hangUp())
  }

  #drain(): void {
    if (!this.writableNeedDrain) return
    this.writableNeedDrain = false
    this.emit('drain')
  }
}
