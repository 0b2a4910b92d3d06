import { randomInt } from 'node:crypto'
import { type Fields, fieldsAt, listAt, textAt } from '#apiserver/objects.ts'
import { itemsOf } from './fill.ts'

const range = '10.96.0.0/16'
const prefix = '10.96.'
// The first part of each range is left to those who ask for an address or port of their choice.
const firstAddress = 256
const lastAddress = 2 ** 16 - 2
const firstPort = 30_000
const firstFreePort = 30_086
const lastPort = 32_767

/**
 * Which cluster addresses and node ports services have. It is told of every service that comes to be or
 * goes; what it suggests is not suggested again soon, so that two writes under way get two addresses.
 */
export class ClusterAddresses {
  readonly #taken = new Set<string>()
  readonly #ports = new Set<number>()
  /** What services have that are being written. */
  readonly #claims = new Map<Fields, ReadonlySet<unknown>>()
  #nextAddress = randomInt(firstAddress, lastAddress)
  #nextPort = randomInt(firstFreePort, lastPort)

  /** Remembers what a service has. */
  note(service: Fields): void {
    for (const address of addressesOf(service)) this.#taken.add(address)
    for (const port of nodePortsOf(service)) this.#ports.add(port)
  }

  /** Gives back what a service had. */
  forget(service: Fields): void {
    for (const address of addressesOf(service)) this.#taken.delete(address)
    for (const port of nodePortsOf(service)) this.#ports.delete(port)
  }

  /** Keeps what a service is about to have from all others, until `settle` is told of it. */
  claim(service: Fields): void {
    this.#claims.set(service, new Set([...addressesOf(service), ...nodePortsOf(service)]))
  }

  settle(service: Fields): void {
    this.#claims.delete(service)
  }

  #isClaimed(wanted: unknown): boolean {
    for (const claimed of this.#claims.values()) if (claimed.has(wanted)) return true
    return false
  }

  #isTaken(address: string): boolean {
    return this.#taken.has(address) || this.#isClaimed(address)
  }

  #isPortTaken(port: number): boolean {
    return this.#ports.has(port) || this.#isClaimed(port)
  }

  /** An address that is free, or nothing when none is. */
  suggestAddress(): string | undefined {
    for (let tries = firstAddress; tries <= lastAddress; tries++) {
      const number = this.#nextAddress
      this.#nextAddress = number >= lastAddress ? firstAddress : number + 1
      const address = `${prefix}${number >> 8}.${number & 255}`
      if (!this.#isTaken(address)) return address
    }
    return undefined
  }

  /** A port that is free, or nothing when none is. */
  suggestPort(): number | undefined {
    for (let tries = firstFreePort; tries <= lastPort; tries++) {
      const port = this.#nextPort
      this.#nextPort = port >= lastPort ? firstFreePort : port + 1
      if (!this.#isPortTaken(port)) return port
    }
    return undefined
  }

  /** Why a new service cannot have an address of its choice, if it cannot. */
  problemWithAddress(address: string): string | undefined {
    if (!address.startsWith(prefix))
      return `failed to allocate IP ${address}: the provided IP (${address}) is not in the valid range. The range of valid IPs is ${range}`
    return this.#isTaken(address)
      ? `failed to allocate IP ${address}: provided IP is already allocated`
      : undefined
  }

  /** The same for a port. */
  problemWithPort(port: number): string | undefined {
    if (port < firstPort || port > lastPort)
      return `provided port is not in the valid range. The range of valid ports is ${firstPort}-${lastPort}`
    return this.#isPortTaken(port) ? 'provided port is already allocated' : undefined
  }
}

const addressesOf = (service: Fields): string[] =>
  listAt(fieldsAt(service, 'spec'), 'clusterIPs').map(String)

function nodePortsOf(service: Fields): number[] {
  const spec = fieldsAt(service, 'spec')
  const ports = itemsOf(spec, 'ports').map((port) => port.nodePort)
  return [...ports, spec.healthCheckNodePort].filter((port) => typeof port === 'number')
}

/** Whether a service is reached by the addresses of its pods only. */
export const isHeadless = (spec: Fields): boolean =>
  textAt(spec, 'clusterIP') === 'None' || listAt(spec, 'clusterIPs')[0] === 'None'

/** Whether a service says nothing of who answers, so that nothing speaks against any kind of address. */
export const isOpenToFamilies = (spec: Fields): boolean =>
  isHeadless(spec) && Object.keys(fieldsAt(spec, 'selector')).length === 0
