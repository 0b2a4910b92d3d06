import type { Cancel, Clock } from '#base/clock.ts'
import { releaseFor } from '#machineconfig/versions/contract.ts'
import { Clusters } from '#simulator/clusters/clusters.ts'
import type { SimulatedCluster } from '#simulator/clusters/simulated-cluster.ts'
import { fasterClock } from '#simulator/faster-clock.ts'
import type { Fault } from '#simulator/faults/fault.ts'
import { isAbout } from '#simulator/faults/fault.ts'
import { Faults } from '#simulator/faults/faults.ts'
import type { ClusterFacts, ClusterKubernetes } from '#simulator/kubernetes/cluster-kubernetes.ts'
import type { Hardware } from '#simulator/machine/hardware.ts'
import { SimulatedMachine } from '#simulator/machine/simulated-machine.ts'
import type { World } from '#simulator/machine/world.ts'
import { seededRandom } from '#simulator/random.ts'
import { History } from './history.ts'
import { newHardware } from './new-hardware.ts'
import { seedOf } from './seed-of.ts'

export interface FleetOptions {
  readonly clock: Clock
  /** How much faster than in reality everything goes; `Infinity`: nothing takes time. 1 unless told. */
  readonly speed?: number
  /** The same seed makes the same fleet. 1 unless told. */
  readonly seed?: number
  /** Names of the system extensions in images of a schematic, by its id. Left out: there are none. */
  readonly extensions?: ReadonlyMap<string, readonly string[]>
  /** Makes the Kubernetes of a cluster that is bootstrapped. */
  kubernetesOf(facts: ClusterFacts): ClusterKubernetes
}

/** A machine that is to be. */
export interface NewMachine {
  readonly address: string
  /** Of the medium that it boots from, `v1.13.0`. */
  readonly talosVersion: string
  /** Of that medium. */
  readonly schematic?: string
  /** `metal` unless told. */
  readonly platform?: 'metal' | 'container'
  readonly hardware?: Partial<Hardware>
  /** Containers may be started with a configuration. */
  readonly userData?: string
  /** By what somebody else knows it, wherever it is, and whatever takes its place. */
  readonly tag?: string
}

/** Pretend machines, what they have become together, and what goes wrong with them. */
export class Fleet implements AsyncDisposable {
  readonly history: History
  readonly faults: Faults
  /** By which everything here takes its time. */
  readonly clock: Clock
  readonly #options: FleetOptions
  readonly #machines = new Map<string, SimulatedMachine>()
  readonly #added = new Map<string, NewMachine>()
  readonly #tagged = new Map<string, SimulatedMachine>()
  readonly #clusters: Clusters
  readonly #listeners = new Set<(address: string) => void>()
  readonly #seed: number
  #replacements = 0

  constructor(options: FleetOptions) {
    const { clock, speed = 1, seed = 1 } = options
    this.#options = options
    this.#seed = seed
    this.clock = fasterClock(clock, speed)
    this.history = new History(clock)
    // Faults name times: without any waiting these would all be over at once.
    this.faults = new Faults(speed === Infinity ? clock : this.clock)
    this.faults.onChange((fault) => this.#follow(fault))
    this.#clusters = new Clusters({
      clock: this.clock,
      wallClock: clock,
      random: seededRandom(seedOf(seed, 'clusters')),
      fleet: { hasMachineAt: (address) => this.#machines.has(address) },
      kubernetesOf: (facts) => options.kubernetesOf(facts),
    })
  }

  /** In the order in which they were added. */
  get machines(): readonly SimulatedMachine[] {
    return [...this.#machines.values()]
  }

  machine(address: string): SimulatedMachine | undefined {
    return this.#machines.get(address)
  }

  /** By what somebody else knows the machine at an address. */
  tagAt(address: string): string | undefined {
    return this.#added.get(address)?.tag
  }

  get tags(): readonly string[] {
    return [...this.#tagged.keys()]
  }

  /** The machine that somebody else knows by this. */
  tagged(tag: string): SimulatedMachine | undefined {
    return this.#tagged.get(tag)
  }

  get clusters(): readonly SimulatedCluster[] {
    return this.#clusters.all
  }

  /** Puts a machine at an address and switches it on. Throws if there is one, or for a version that is not served. */
  add(machine: NewMachine): SimulatedMachine {
    const { address, talosVersion } = machine
    if (this.#machines.has(address)) throw new Error(`there is a machine at ${address} already`)
    releaseFor(talosVersion)
    const made = this.#make(machine)
    this.#machines.set(address, made)
    this.#added.set(address, machine)
    if (machine.tag !== undefined) this.#tagged.set(machine.tag, made)
    made.powerOn()
    return made
  }

  /** Takes a machine away, as it is. */
  remove(address: string): void {
    this.machine(address)?.discard()
    this.#tagged.delete(this.tagAt(address) ?? '')
    this.#machines.delete(address)
    this.#added.delete(address)
    this.#tell(address)
  }

  /** Puts a machine at another address, where it boots anew with its disks. Throws if there is one at that. */
  move(from: string, to: string): void {
    const [machine, added] = [this.#machines.get(from), this.#added.get(from)]
    if (!machine || !added) throw new Error(`there is no machine at ${from}`)
    if (this.#machines.has(to)) throw new Error(`there is a machine at ${to} already`)
    this.history.add(from, `moves to ${to}`)
    this.#machines.delete(from)
    this.#added.delete(from)
    this.#machines.set(to, machine)
    this.#added.set(to, { ...added, address: to })
    machine.moveTo(to)
    this.#tell(from)
  }

  /** Another machine, with another UUID and empty disks, is at the address from now on. */
  replace(address: string): SimulatedMachine | undefined {
    const former = this.#added.get(address)
    if (!former) return undefined
    this.remove(address)
    this.#replacements++
    const { hardware, ...rest } = former
    this.history.add(address, 'is another machine now')
    return this.add(hardware ? { ...rest, hardware: { disks: hardware.disks ?? [] } } : rest)
  }

  /** Told with the address of a machine whenever something about it is another. */
  onChange(listener: (address: string) => void): Cancel {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #make(machine: NewMachine): SimulatedMachine {
    const { address, talosVersion, schematic, platform = 'metal', hardware, userData } = machine
    const random = seededRandom(seedOf(this.#seed, `${address} ${this.#replacements}`))
    return new SimulatedMachine({
      address,
      platform,
      userData,
      hardware: newHardware(random, hardware),
      medium: { version: talosVersion, schematic },
      random,
      world: this.#world(),
    })
  }

  #world(): World {
    return {
      clock: this.clock,
      wallClock: this.#options.clock,
      faults: this.faults,
      clusters: this.#clusters,
      extensions: this.#options.extensions ?? new Map(),
      record: (address, what) => this.history.add(address, what),
      changed: (address) => this.#tell(address),
    }
  }

  #follow(fault: Fault): void {
    if (fault.name === 'unreachable') for (const cluster of this.clusters) cluster.changed()
    if (fault.name === 'wrong-machine') this.#replaceBy(fault)
    if (fault.name === 'disk-missing') for (const machine of this.machines) machine.showAgain()
  }

  #replaceBy(fault: Fault): void {
    for (const { address, hardware, hostname } of this.machines) {
      const target = { address, uuid: hardware.uuid, hostname }
      if (isAbout(fault, target) && this.faults.strike('wrong-machine', target)) {
        this.replace(address)
        return
      }
    }
  }

  #tell(address: string): void {
    for (const listener of [...this.#listeners]) listener(address)
  }

  /** Switches everything off. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const machine of this.machines) machine.powerOff()
    await this.#clusters[Symbol.asyncDispose]()
  }
}
