import type { Clock } from '#base/clock.ts'
import type { CarriedRequest, Carry, Response } from '#kube/access.ts'
import type { ApiDoorOptions, OpenApiDoor } from '#simulator/kubernetes/serving/api-door.ts'
import { ClientSockets, certificatesIn } from './client-socket.ts'
import { askRest } from './in-process-rest.ts'

/** The doors of the APIs of simulated clusters, for clients in this process. */
export class InProcessDoors {
  readonly #clock: Clock
  readonly #open = new Map<string, Door>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  readonly open: OpenApiDoor = async (options) => {
    const { host, port } = options.address
    const place = `${host}:${port}`
    const door = new Door(options, this.#clock)
    this.#open.set(place, door)
    return {
      port,
      [Symbol.asyncDispose]: async () => {
        if (this.#open.get(place) === door) this.#open.delete(place)
        door.shut()
      },
    }
  }

  /** Fails as a connection would where no door is, or that of another cluster. */
  readonly carry: Carry = async (request) => {
    const { hostname, port } = request.url
    const place = `${hostname}:${port || 443}`
    const door = this.#open.get(place)
    if (!door) throw failed('ECONNREFUSED', `connect ECONNREFUSED ${place}`)
    return door.ask(request)
  }
}

class Door {
  readonly #options: ApiDoorOptions
  readonly #sockets: ClientSockets
  readonly #open = new Set<Response['body']>()

  constructor(options: ApiDoorOptions, clock: Clock) {
    this.#options = options
    this.#sockets = new ClientSockets(options.authority, clock)
  }

  async ask(request: CarriedRequest): Promise<Response> {
    const { rest, authority } = this.#options
    const [own] = certificatesIn(authority)
    if (!certificatesIn(request.authority ?? '').some((one) => one === own)) {
      throw failed('SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain')
    }
    const response = await askRest(rest, request, this.#sockets.of(request.credentials))
    const { body } = response
    this.#open.add(body)
    body.once('close', () => this.#open.delete(body))
    return response
  }

  shut(): void {
    for (const body of this.#open) body.destroy(failed('ECONNRESET', 'aborted'))
  }
}

const failed = (code: string, message: string): Error => Object.assign(new Error(message), { code })
