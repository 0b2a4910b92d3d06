import type { Socket } from 'node:net'
import { type ConnectionInjector, Server, type ServerCredentials } from '@grpc/grpc-js'
import { apiKeysOf } from '#simulator/services/config-keys.ts'
import { METHODS } from '#simulator/services/methods.ts'
import { minorOf } from '#simulator/services/minor-of.ts'
import { ANONYMOUS, type Roles } from '#simulator/services/roles.ts'
import { ALL_ROLES, checksUsage, isClientOnly, rolesOf } from './caller.ts'
import { clusterCredentials, maintenanceCredentials } from './door-credentials.ts'
import type { Directory, Endpoint } from './endpoint.ts'
import { signerFor } from './neighbours.ts'
import { type Arrived, answerStream, answerUnary, type Surroundings } from './serve-call.ts'

// Long enough for an answer to reach its caller; what flows on has to end.
const GRACE_MS = 200
const LARGEST_MESSAGE = 32 * 1024 * 1024

interface Running {
  readonly server: Server
  readonly injector: ConnectionInjector
}

/** What answers behind one door of a machine. Made when the first caller comes; can rest when there is none. */
export class MachineServer {
  readonly #endpoint: Endpoint
  readonly #directory: Directory
  readonly #connections = new Map<string, { socket: Socket; roles: Roles | undefined }>()
  #credentials: Promise<ServerCredentials | undefined> | undefined
  #running: Running | undefined
  #hasEnded = false

  constructor(endpoint: Endpoint, directory: Directory) {
    this.#endpoint = endpoint
    this.#directory = directory
  }

  /** Serves a new connection; false if there is no door after all. */
  async take(socket: Socket): Promise<boolean> {
    this.#credentials ??= this.#makeCredentials()
    const credentials = await this.#credentials
    if (!credentials) this.#credentials = undefined
    if (!credentials || this.#hasEnded || socket.destroyed) return false
    this.#running ??= this.#start(credentials)
    const peer = `${socket.remoteAddress}:${socket.remotePort}`
    this.#connections.set(peer, { socket, roles: undefined })
    socket.once('close', () => this.#connections.delete(peer))
    this.#running.injector.injectConnection(socket)
    return true
  }

  /** Gives back what serving needs, but its certificate, if no one is there. */
  rest(): void {
    if (this.#connections.size === 0) this.#stop()
  }

  /** Answers nothing more. What was answered already still gets a moment to go out, unless it is cut off. */
  end(isCutOff: boolean): void {
    this.#hasEnded = true
    const running = this.#running
    if (isCutOff) this.#stop()
    this.#running = undefined
    if (!running) return
    running.injector.drain(GRACE_MS)
    this.#directory.wallClock.after(GRACE_MS, () => running.server.forceShutdown())
  }

  #stop(): void {
    this.#running?.server.forceShutdown()
    this.#running = undefined
  }

  #start(credentials: ServerCredentials): Running {
    const server = new Server({
      'grpc.max_receive_message_length': LARGEST_MESSAGE,
      'grpc.max_send_message_length': LARGEST_MESSAGE,
      'grpc.enable_channelz': 0,
    })
    const surroundings: Surroundings = {
      endpoint: this.#endpoint,
      directory: this.#directory,
      rolesOf: (call) => this.#rolesOf(call),
      disconnect: (call) => this.#connections.get(call.getPeer())?.socket.destroy(),
    }
    const unary = answerUnary(surroundings)
    const stream = answerStream(surroundings)
    for (const { path, isUnary } of METHODS.values()) {
      if (isUnary) server.register(path, unary, asBuffer, asIs, 'unary')
      else server.register(path, stream, asBuffer, asIs, 'bidi')
    }
    return { server, injector: server.createConnectionInjector(credentials) }
  }

  async #makeCredentials(): Promise<ServerCredentials | undefined> {
    const { machine } = this.#endpoint
    const now = this.#directory.wallClock.now()
    if (machine.door === 'maintenance') {
      return maintenanceCredentials(machine, this.#directory.authority(), now)
    }
    const keys = apiKeysOf(machine.config)
    const signer = keys && signerFor(machine, keys, this.#directory)
    return signer && clusterCredentials({ machine, keys, signer, now })
  }

  /** Of the connection; undefined if it must not be there, and is ended. */
  #rolesOf(call: Arrived): Roles | undefined {
    const { machine } = this.#endpoint
    if (this.#hasEnded) return undefined
    if (machine.door === 'maintenance') return ANONYMOUS
    const connection = this.#connections.get(call.getPeer())
    if (!connection) return undefined
    connection.roles ??= this.#certified(call)
    if (!connection.roles) connection.socket.destroy()
    return connection.roles
  }

  #certified(call: Arrived): Roles | undefined {
    const { machine } = this.#endpoint
    const certificate = call.getAuthContext().sslPeerCertificate
    const keys = apiKeysOf(machine.config)
    if (!certificate || !keys) return undefined
    if (checksUsage(keys, minorOf(machine)) && !isClientOnly(certificate)) return undefined
    return keys.hasRoles || minorOf(machine) >= 13 ? rolesOf(certificate) : ALL_ROLES
  }
}

const asIs = (bytes: Buffer): Buffer => bytes

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
