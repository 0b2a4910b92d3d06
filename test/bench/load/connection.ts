import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'
import type { AdminAccess } from '#test/misbehaving/admin-kubeconfig.ts'
import { type Answer, AnswerReader } from './answer-reader.ts'

/** Opens a connection with TLS and a client certificate, for HTTP/1.1. */
export async function openSocket({
  server,
  ca,
  certificate,
  key,
}: AdminAccess): Promise<TLSSocket> {
  const { hostname: host, port } = new URL(server)
  const socket = connect({ host, port: Number(port), ca, cert: certificate, key })
  await once(socket, 'secureConnect')
  socket.setNoDelay(true)
  return socket
}

/** A connection that is kept alive: one request at a time, without anything that Node adds to it. */
export class Connection {
  readonly #socket: TLSSocket
  #onAnswer: ((answer: Answer) => void) | undefined
  #onLost: ((error: Error) => void) | undefined

  constructor(socket: TLSSocket) {
    this.#socket = socket
    const reader = new AnswerReader((answer) => this.#onAnswer?.(answer))
    socket.on('data', (bytes) => reader.push(bytes))
    socket.on('error', (error) => this.#onLost?.(error))
    socket.on('close', () => this.#onLost?.(new Error('the server closed a connection')))
  }

  static async open(access: AdminAccess): Promise<Connection> {
    return new Connection(await openSocket(access))
  }

  /** Who is told of the answers from now on. A connection that nobody listens to may end. */
  listen(onAnswer: (answer: Answer) => void, onLost: (error: Error) => void): void {
    this.#onAnswer = onAnswer
    this.#onLost = onLost
  }

  send(request: Buffer): void {
    this.#socket.write(request)
  }

  close(): void {
    this.#onLost = undefined
    this.#socket.destroy()
  }
}
