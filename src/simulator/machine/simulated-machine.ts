import type { Cancel } from '#base/clock.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import type { EtcdMember } from '#simulator/etcd/etcd-member.ts'
import type { ResourceStore } from '#simulator/resources/resource-store.ts'
import type { WireFaults } from '#simulator/wire/wire-faults.ts'
import { applyConfiguration } from './commands/apply-configuration.ts'
import { bootstrap, receiveSnapshot } from './commands/bootstrap.ts'
import { lifecycleInstall, lifecycleUpgrade, type Progress } from './commands/lifecycle.ts'
import { deleteMeta, writeMeta } from './commands/meta.ts'
import { readFile } from './commands/read-file.ts'
import { reset } from './commands/reset.ts'
import { reboot, rollback, shutdown } from './commands/restarts.ts'
import { restartService, startService, stopService } from './commands/service-commands.ts'
import { upgrade } from './commands/upgrade.ts'
import { wipeDevices } from './commands/wipe-devices.ts'
import type { EventLog, MachineStage } from './event-log.ts'
import { wireTo } from './follow-network.ts'
import type { Hardware } from './hardware.ts'
import type { ImageStore } from './image-store.ts'
import { type InsideOptions, MachineInside } from './inside.ts'
import { KubernetesLink } from './kubernetes-link.ts'
import type * as asked from './machine.ts'
import type { Door, Machine } from './machine.ts'
import { OwnEtcdMember } from './own-etcd-member.ts'
import { Power } from './power.ts'
import { Publisher } from './publish/publisher.ts'
import { WithCatalogue } from './publish/with-catalogue.ts'
import type { ServiceState } from './service-state.ts'
import { SimulatedImages } from './simulated-images.ts'

/** A machine that is not there. It does by itself what Talos does, in its own time. */
export class SimulatedMachine implements Machine {
  readonly images: ImageStore
  readonly resources: ResourceStore
  /** What goes wrong between it and its callers. */
  readonly wireFaults: WireFaults
  readonly #inside: MachineInside
  readonly #power: Power

  constructor(options: InsideOptions) {
    this.#inside = new MachineInside(options)
    this.#power = new Power(this.#inside)
    this.images = new SimulatedImages(this.#inside)
    this.resources = new WithCatalogue(this.#inside.resources, () => this.#inside.boot?.minor)
    this.wireFaults = wireTo(this.#inside)
    keepShowing(this.#inside)
  }

  get address(): string {
    return this.#inside.address
  }

  get hardware(): Hardware {
    return this.#inside.hardware
  }

  get disks(): Hardware['disks'] {
    return this.#inside.disks
  }

  get platform(): 'metal' | 'container' {
    return this.#inside.platform
  }

  get talosVersion(): string {
    return this.#inside.talosVersion
  }

  get schematic(): string | undefined {
    return this.#inside.boot?.image.schematic
  }

  get door(): Door {
    return this.#inside.door
  }

  onDoor(listener: () => void): Cancel {
    return this.#inside.doors.add(listener)
  }

  get type(): 'controlplane' | 'worker' | undefined {
    return this.#inside.facts?.type
  }

  get hostname(): string {
    return this.#inside.hostname
  }

  get config(): MachineConfig | undefined {
    return this.#inside.boot?.config?.config
  }

  get bootId(): string {
    return this.#inside.boot?.id ?? ''
  }

  get events(): EventLog {
    return this.#inside.events
  }

  get services(): readonly ServiceState[] {
    return this.#inside.boot?.services.list ?? []
  }

  get etcd(): EtcdMember | undefined {
    const { boot, etcdPlace } = this.#inside
    if (!etcdPlace || !boot?.services.isIn('etcd', 'Running')) return undefined
    return new OwnEtcdMember(this.#inside, etcdPlace.half.etcd.member(etcdPlace.memberId))
  }

  get clusterEtcd(): EtcdMember | undefined {
    const half = this.#inside.boot?.cluster?.etcdToJoin(this.#inside)
    const [any] = half?.etcd.members ?? []
    return any && half?.etcd.member(any.id)
  }

  /** Where it is on its way. */
  get stage(): MachineStage {
    return this.#inside.stage
  }

  /** Whether it is all that it should be at this stage. */
  get isReady(): boolean {
    return this.#inside.isReady
  }

  get isOn(): boolean {
    return this.#power.isOn
  }

  /** The version on its disk, if Talos is installed. */
  get installedVersion(): string | undefined {
    return this.#inside.storage.systemDisk.next?.version
  }

  get clockSkewMs(): number {
    const fault = this.#inside.world.faults.find('clock-skew', this.#inside)
    return Number(fault?.options.get('by') ?? 0)
  }

  /** What it shows may be another, by no deed of its own. */
  showAgain(): void {
    this.#inside.changed()
  }

  powerOn(): void {
    this.#power.on()
  }

  powerOff(): void {
    this.#power.off()
  }

  /** Gives it another address, with which it boots anew if it is on. */
  moveTo(address: string): void {
    const { isOn } = this
    this.#power.off()
    this.#inside.address = address
    if (isOn) this.#power.on()
  }

  /** Takes it away for good, with its disks. */
  discard(): void {
    this.#power.off()
    this.#inside.storage.wipe()
  }

  applyConfiguration(request: asked.ApplyRequest): asked.ApplyResult {
    return applyConfiguration(this.#inside, request)
  }

  bootstrap(request: asked.BootstrapRequest): void {
    bootstrap(this.#inside, request)
  }

  receiveSnapshot(bytes: Uint8Array): void {
    receiveSnapshot(this.#inside, bytes)
  }

  reboot(mode: asked.RebootMode): asked.Actor {
    return reboot(this.#inside, mode)
  }

  shutdown(force: boolean): asked.Actor {
    return shutdown(this.#inside, force)
  }

  reset(request: asked.ResetRequest): asked.Actor {
    return reset(this.#inside, request)
  }

  rollback(): void {
    rollback(this.#inside)
  }

  upgrade(request: asked.UpgradeRequest): Promise<asked.Actor> {
    return upgrade(this.#inside, request)
  }

  lifecycleUpgrade(source: asked.UpgradeSource): AsyncIterable<Progress> {
    return lifecycleUpgrade(this.#inside, source)
  }

  lifecycleInstall(request: asked.InstallRequest): AsyncIterable<Progress> {
    return lifecycleInstall(this.#inside, request)
  }

  startService(id: string): string {
    return startService(this.#inside, id)
  }

  stopService(id: string): string {
    return stopService(this.#inside, id)
  }

  restartService(id: string): string {
    return restartService(this.#inside, id)
  }

  writeMeta(key: number, value: Uint8Array): void {
    writeMeta(this.#inside, key, value)
  }

  deleteMeta(key: number): void {
    deleteMeta(this.#inside, key)
  }

  wipeDevices(devices: readonly string[]): void {
    wipeDevices(this.#inside, devices)
  }

  readFile(path: string): Promise<Uint8Array> {
    return readFile(this.#inside, path)
  }
}

/** What it shows, and what it tells its cluster, follows each change; many changes at once are one. */
function keepShowing(inside: MachineInside): void {
  const publisher = new Publisher(inside)
  const link = new KubernetesLink(inside)
  let isDue = false
  inside.shown.add(() => {
    if (isDue) return
    isDue = true
    queueMicrotask(() => {
      isDue = false
      publisher.publish()
      link.sync()
    })
  })
}
