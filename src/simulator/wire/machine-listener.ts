import { createServer, type Server, type Socket } from 'node:net'
import type { Cancel } from '#base/clock.ts'
import type { Directory, Endpoint } from './endpoint.ts'
import { MachineServer } from './machine-server.ts'
import { isSilent } from './wire-faults.ts'

// Until then a machine that nobody calls keeps what it made for its last caller.
const IDLE_MS = 10_000
const RENEW_AFTER_MS = 12 * 3_600_000

/**
 * Where a machine listens. What a connection meets is decided when it is made: nothing, the door for
 * anyone, or the door of the cluster. Open connections end when the door is another.
 */
export class MachineListener implements AsyncDisposable {
  #endpoint: Endpoint
  readonly #directory: Directory
  readonly #tcp: Server
  readonly #sockets = new Set<Socket>()
  #leave: readonly Cancel[]
  #server: MachineServer | undefined
  #madeAtMs = 0
  #cancelIdle: Cancel = () => {}

  constructor(endpoint: Endpoint, directory: Directory) {
    this.#endpoint = endpoint
    this.#directory = directory
    this.#tcp = createServer({ noDelay: true }, (socket) => this.#meet(socket))
    this.#leave = this.#follow()
  }

  /** Another machine is here from now on; open connections end. */
  replace(endpoint: Endpoint): void {
    for (const cancel of this.#leave) cancel()
    this.#shut(true)
    this.#endpoint = endpoint
    this.#leave = this.#follow()
  }

  #follow(): readonly Cancel[] {
    const { machine, faults } = this.#endpoint
    return [
      machine.onDoor(() => this.#shut()),
      faults.onChange(() => {
        if (faults.isUnreachable) this.#shut(true)
        if (!isSilent(faults)) this.#endSilent()
      }),
    ]
  }

  get port(): number | undefined {
    const address = this.#tcp.address()
    return typeof address === 'object' ? address?.port : undefined
  }

  /** Fails as `net.Server` does, when the address is taken or is none of this computer. */
  listen(address: string, port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#tcp.once('error', reject)
      this.#tcp.listen({ host: address, port, backlog: 128 }, () => {
        this.#tcp.off('error', reject)
        this.#tcp.on('error', () => {})
        resolve()
      })
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const cancel of this.#leave) cancel()
    this.#shut(true)
    if (this.#tcp.listening) await new Promise<void>((done) => this.#tcp.close(() => done()))
  }

  readonly #silent = new Set<Socket>()

  #meet(socket: Socket): void {
    // A caller that goes away is none of our business.
    socket.on('error', () => {})
    this.#sockets.add(socket)
    this.#cancelIdle()
    socket.once('close', () => this.#left(socket))
    const { machine, faults } = this.#endpoint
    if (isSilent(faults)) this.#ignore(socket)
    else if (faults.isUnreachable || machine.door === 'shut') reset(socket)
    else this.#serve(socket)
  }

  #serve(socket: Socket): void {
    const server = this.#current()
    server.take(socket).then(
      (isTaken) => {
        if (!isTaken) reset(socket)
      },
      () => reset(socket),
    )
  }

  #current(): MachineServer {
    const nowMs = this.#directory.wallClock.monotonicMs()
    if (this.#server && nowMs - this.#madeAtMs < RENEW_AFTER_MS) return this.#server
    this.#madeAtMs = nowMs
    this.#server = new MachineServer(this.#endpoint, this.#directory)
    return this.#server
  }

  #ignore(socket: Socket): void {
    this.#silent.add(socket)
    socket.once('close', () => this.#silent.delete(socket))
    socket.pause()
  }

  #endSilent(): void {
    for (const socket of this.#silent) reset(socket)
  }

  #left(socket: Socket): void {
    this.#sockets.delete(socket)
    if (this.#sockets.size > 0 || !this.#server) return
    const server = this.#server
    this.#cancelIdle()
    this.#cancelIdle = this.#directory.wallClock.after(IDLE_MS, () => server.rest())
  }

  #shut(isCutOff = false): void {
    this.#cancelIdle()
    this.#server?.end(isCutOff)
    this.#server = undefined
    if (isCutOff) for (const socket of this.#sockets) reset(socket)
  }
}

const reset = (socket: Socket): void => {
  socket.resetAndDestroy()
}
