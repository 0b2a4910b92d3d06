import { type Cancel, sleep } from '#base/clock.ts'
import type { ClusterMachine } from '#simulator/clusters/cluster-machine.ts'
import type { FaultTarget } from '#simulator/faults/fault.ts'
import type { Step } from '#simulator/faults/fault-kinds.ts'
import { Refusal } from '#simulator/refusal.ts'
import { MachineResources } from '#simulator/resources/machine-resources.ts'
import { durationMs, type Timed } from '#simulator/timing.ts'
import type { Boot } from './boot.ts'
import type { ConfigFacts } from './config-facts.ts'
import type { EventPayload, MachineStage } from './event-log.ts'
import type { Hardware } from './hardware.ts'
import type { EtcdPlace } from './kept/ephemeral-partition.ts'
import { Storage } from './kept/storage.ts'
import type { TalosImage } from './kept/system-disk.ts'
import { KeptEvents } from './kept-events.ts'
import { Listeners } from './listeners.ts'
import type { Door } from './machine.ts'
import { machineName } from './machine-name.ts'
import { OPEN, type WayIn } from './way-in.ts'
import type { World } from './world.ts'

export interface InsideOptions {
  readonly address: string
  readonly platform: 'metal' | 'container'
  readonly hardware: Hardware
  /** What it boots while nothing is installed; undefined: nothing. */
  readonly medium: TalosImage | undefined
  /** Only for containers: the configuration that it is started with. */
  readonly userData: string | undefined
  readonly world: World
  readonly random: () => number
}

/** The machine lost its power: whatever it was about to do does not happen. */
export class PowerLost extends Refusal {
  constructor() {
    super('Unavailable', 'the machine went down')
  }
}

/** The inside of a machine: what its sequences, services and commands work on. */
export class MachineInside implements ClusterMachine, FaultTarget {
  address: string
  readonly platform: 'metal' | 'container'
  readonly hardware: Hardware
  readonly medium: TalosImage | undefined
  readonly userData: string | undefined
  readonly world: World
  readonly random: () => number
  readonly storage = new Storage()
  readonly events: KeptEvents
  readonly resources: MachineResources
  readonly doors = new Listeners()
  /** Told when its configuration lets others get through to it less, or again. */
  readonly ways = new Listeners()
  /** Told of whatever the machine shows of itself. */
  readonly shown = new Listeners()
  readonly onShown = (listener: () => void): Cancel => this.shown.add(listener)
  /** Undefined while it is off. */
  boot: Boot | undefined
  /** Cuts the power. Set by whoever holds the switch. */
  cutPower: () => void = () => {}
  #door: Door = 'shut'
  #isReady = false

  constructor(options: InsideOptions) {
    this.address = options.address
    this.platform = options.platform
    this.hardware = options.hardware
    this.medium = options.medium
    this.userData = options.userData
    this.world = options.world
    this.random = options.random
    this.events = new KeptEvents(options.world.clock, options.random)
    this.resources = new MachineResources(options.world.clock)
  }

  get uuid(): string {
    return this.hardware.uuid
  }

  get facts(): ConfigFacts | undefined {
    return this.boot?.config?.facts
  }

  get nodeId(): string {
    return this.storage.state.nodeId ?? this.boot?.newNodeId ?? ''
  }

  get hostname(): string {
    return machineName({ facts: this.facts, nodeId: this.nodeId, address: this.address })
  }

  get talosVersion(): string {
    return this.boot?.image.version ?? this.storage.systemDisk.next?.version ?? ''
  }

  get stage(): MachineStage {
    return this.boot?.stage.current ?? 'unknown'
  }

  /** Whether it is all that it should be at its stage. */
  get isReady(): boolean {
    return this.#isReady
  }

  set isReady(isReady: boolean) {
    this.#isReady = isReady
    if (isReady && this.stage === 'running') this.storage.systemDisk.settle()
  }

  get door(): Door {
    return this.#door
  }

  set door(door: Door) {
    if (door === this.#door) return
    this.#door = door
    this.doors.tell()
    this.changed()
  }

  get isReachable(): boolean {
    return this.wayIn.hasAddress && this.world.faults.find('unreachable', this) === undefined
  }

  get wayIn(): WayIn {
    return this.boot?.wayIn ?? OPEN
  }

  get isTrustdUp(): boolean {
    return this.boot?.services.isIn('trustd', 'Running') ?? false
  }

  get isEtcdHealthy(): boolean {
    return this.boot?.services.get('etcd')?.health.isHealthy ?? false
  }

  get hasKubeletCertificate(): boolean {
    return this.storage.ephemeral.hasKubeletCertificate
  }

  get etcdPlace(): EtcdPlace | undefined {
    return this.storage.ephemeral.etcd
  }

  /** The disks that are there, as far as faults leave them. */
  get disks(): Hardware['disks'] {
    return this.hardware.disks.filter(({ path }, index) => {
      const isThis = (disk: string) => disk === path
      const fault = this.world.faults.find('disk-missing', this, { disk: isThis })
      return !fault || (!fault.options.has('disk') && index > 0)
    })
  }

  /** Whether there is a disk with Talos on it. */
  get isInstalled(): boolean {
    const { path } = this.storage.systemDisk
    return path !== undefined && this.disks.some((disk) => disk.path === path)
  }

  /** Lets the time pass that something takes. Rejects when the signal aborts. */
  async takes(what: Timed, signal: AbortSignal): Promise<void> {
    await sleep(this.world.clock, durationMs(what, this.random), signal)
  }

  /** A moment at which a fault may strike. Throws if the machine is dead then. */
  passes(step: Step): void {
    if (!this.world.faults.strike('dies', this, { at: (at) => at === step })) return
    this.record(`dies ${step.replaceAll('-', ' ')}`)
    this.cutPower()
    throw new PowerLost()
  }

  /** Adds an event, and with it the stage that follows from it. */
  tell(payload: EventPayload, actorId = ''): void {
    this.events.add(payload, actorId)
    if (!this.boot?.stage.see(payload)) return
    this.record(`stage ${this.stage}`)
    this.changed()
  }

  record(what: string): void {
    this.world.record(this.address, what)
  }

  /** Something that it shows of itself is another. */
  changed(): void {
    this.shown.tell()
    this.world.changed(this.address)
  }
}
