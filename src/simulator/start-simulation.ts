import { type Cancel, type Clock, systemClock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { Fault } from './faults/fault.ts'
import { Fleet, type NewMachine } from './fleet/fleet.ts'
import type { OpenApiDoor } from './kubernetes/serving/api-door.ts'
import { simulatedKubernetes } from './kubernetes/simulated-kubernetes.ts'
import { startWire, type Wire, type WireOptions } from './wire/start-wire.ts'

export interface SimulationOptions {
  readonly machines: readonly NewMachine[]
  readonly log: Log
  /** Left out: the real time. */
  readonly clock?: Clock
  /** How much faster than in reality everything goes; `Infinity`: nothing takes time. Left out: 1. */
  readonly speed?: number
  /** The same seed makes the same fleet. */
  readonly seed?: number
  /** Of the machines. Left out: 50000. */
  readonly port?: number
  /** Of the Kubernetes API of each cluster. Left out: 6443. */
  readonly kubernetesPort?: number
  readonly faults?: readonly Fault[]
  /** Names of the system extensions in images of a schematic, by its id. Left out: there are none. */
  readonly extensions?: ReadonlyMap<string, readonly string[]>
  /** How machines and the APIs of clusters are reached. Left out: over TLS, at their addresses. */
  readonly reach?: Reach
}

/** Ways into a simulation other than the network. */
interface Reach {
  startWire(options: WireOptions): Wire
  readonly openDoor: OpenApiDoor
}

/** Pretend machines that can be called, and the clusters that they become. */
export interface Simulation extends AsyncDisposable {
  readonly fleet: Fleet
  /** One more machine, which listens when this resolves. Rejects with a problem for people. */
  add(machine: NewMachine): Promise<void>
  remove(address: string): Promise<void>
  /** Puts a machine at another address, where it boots anew. Rejects, with it where it was, if it cannot listen there. */
  move(from: string, to: string): Promise<void>
}

/** Switches on a fleet, and lets all of it listen. Rejects, with nothing left behind, if one cannot. */
export async function startSimulation(options: SimulationOptions): Promise<Simulation> {
  const { clock = systemClock, log, speed = 1, seed = 1, port, kubernetesPort, reach } = options
  const { extensions } = options
  const fleet: Fleet = new Fleet({
    clock,
    speed,
    seed,
    ...(extensions && { extensions }),
    kubernetesOf: (facts) =>
      simulatedKubernetes(facts, {
        clock: fleet.clock,
        wallClock: clock,
        log,
        ...(kubernetesPort !== undefined && { port: kubernetesPort }),
        ...(reach && { openDoor: reach.openDoor }),
      }),
  })
  for (const fault of options.faults ?? []) fleet.faults.add(fault)
  const wire = (reach?.startWire ?? startWire)({
    // What is slow on purpose stays slow where nothing else takes time.
    clock: speed === Infinity ? clock : fleet.clock,
    ...(port !== undefined && { port }),
  })
  const simulation = new RunningSimulation(fleet, wire)
  try {
    await Promise.all(options.machines.map((machine) => simulation.add(machine)))
  } catch (error) {
    await simulation[Symbol.asyncDispose]()
    throw error
  }
  return simulation
}

class RunningSimulation implements Simulation {
  readonly fleet: Fleet
  readonly #wire: Wire
  readonly #leave: Cancel

  constructor(fleet: Fleet, wire: Wire) {
    this.fleet = fleet
    this.#wire = wire
    this.#leave = fleet.onChange((address) => this.#follow(address))
  }

  async add(machine: NewMachine): Promise<void> {
    const made = this.fleet.add(machine)
    try {
      await this.#wire.add(made, made.wireFaults)
    } catch (error) {
      this.fleet.remove(machine.address)
      throw error
    }
  }

  async remove(address: string): Promise<void> {
    this.fleet.remove(address)
    await this.#wire.remove(address)
  }

  async move(from: string, to: string): Promise<void> {
    this.fleet.move(from, to)
    await this.#wire.remove(from)
    try {
      await this.#listen(to)
    } catch (error) {
      this.fleet.move(to, from)
      await this.#listen(from)
      throw error
    }
  }

  async #listen(address: string): Promise<void> {
    const machine = this.fleet.machine(address)
    if (machine) await this.#wire.add(machine, machine.wireFaults)
  }

  /** Another machine may have taken the place of one: its callers meet that one from now on. */
  #follow(address: string): void {
    const machine = this.fleet.machine(address)
    if (machine) this.#wire.replace(machine, machine.wireFaults)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leave()
    await this.#wire[Symbol.asyncDispose]()
    await this.fleet[Symbol.asyncDispose]()
  }
}
