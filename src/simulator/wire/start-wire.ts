import { type Clock, systemClock } from '#base/clock.ts'
import type { Credentials } from '#base/x509.ts'
import type { Machine } from '#simulator/machine/machine.ts'
import { throwAwayAuthority } from './door-credentials.ts'
import type { Directory, Endpoint } from './endpoint.ts'
import { listenProblem } from './listen-problem.ts'
import { MachineListener } from './machine-listener.ts'
import { NO_FAULTS, type WireFaults } from './wire-faults.ts'

export interface WireOptions {
  /** Of the fleet: delays pass by it. */
  readonly clock: Clock
  /** By which certificates are judged. Left out: the real time, as other programs see it. */
  readonly wallClock?: Clock
  /** Left out: 50000. 0: any that is free, for each machine another. */
  readonly port?: number
}

/** Machines that can be called. */
export interface Wire extends AsyncDisposable {
  /** Lets a machine listen on its own address. Fails with an OperatorError when it cannot. */
  add(machine: Machine, faults?: WireFaults): Promise<void>
  /** Where the machine at an address listens. */
  portAt(address: string): number | undefined
  /** Takes it off the wire; its connections end. */
  remove(address: string): Promise<void>
  /** From now on this machine is at its address, in the place of another; open connections end. Does nothing if it is there. */
  replace(machine: Machine, faults?: WireFaults): void
}

/** A wire without machines. */
export function startWire({ clock, wallClock = systemClock, port = 50_000 }: WireOptions): Wire {
  const listeners = new Map<string, { endpoint: Endpoint; listener: MachineListener }>()
  const directory: Directory = {
    clock,
    wallClock,
    authority: authorityOf(wallClock),
    endpoints: function* () {
      for (const { endpoint } of listeners.values()) yield endpoint
    },
    at: (address) => listeners.get(address)?.endpoint,
  }
  const remove = async (address: string) => {
    const found = listeners.get(address)
    listeners.delete(address)
    await found?.listener[Symbol.asyncDispose]()
  }
  return {
    add: async (machine, faults = NO_FAULTS) => {
      const { address } = machine
      const endpoint = { machine, faults }
      const listener = new MachineListener(endpoint, directory)
      try {
        await listener.listen(address, port)
      } catch (error) {
        await listener[Symbol.asyncDispose]()
        throw listenProblem(error, address, port)
      }
      listeners.set(address, { endpoint, listener })
    },
    portAt: (address) => listeners.get(address)?.listener.port,
    remove,
    replace: (machine, faults = NO_FAULTS) => {
      const found = listeners.get(machine.address)
      if (!found || found.endpoint.machine === machine) return
      found.endpoint = { machine, faults }
      found.listener.replace(found.endpoint)
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...listeners.keys()].map(remove))
    },
  }
}

const RENEW_AFTER_MS = 24 * 3_600_000

/** Made when it is first wanted, and anew before what it signs could outlive it. */
function authorityOf(clock: Clock): () => Credentials {
  let made: { authority: Credentials; atMs: number } | undefined
  return () => {
    const now = clock.now()
    if (!made || now.getTime() - made.atMs >= RENEW_AFTER_MS) {
      made = { authority: throwAwayAuthority(now), atMs: now.getTime() }
    }
    return made.authority
  }
}
