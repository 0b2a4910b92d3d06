import type { Cancel } from '#base/clock.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import type { EtcdMember } from '#simulator/etcd/etcd-member.ts'
import type { ResourceStore } from '#simulator/resources/resource-store.ts'
import type { EventLog } from './event-log.ts'
import type { Hardware } from './hardware.ts'
import type { ImageNamespace, ImageStore } from './image-store.ts'
import type { ServiceState } from './service-state.ts'

/** Whom a machine lets in: nobody, anyone (it waits for a configuration), those with a certificate of its cluster. */
export type Door = 'shut' | 'maintenance' | 'cluster'

/**
 * A pretend Talos machine, as the services of its API see it: what it shows, and what it can be told.
 * Roles are checked by whoever calls; all else is checked here. Commands throw a `Refusal`, in Talos' words.
 */
export interface Machine {
  /** Its own address, where it is found for life. */
  readonly address: string
  readonly hardware: Hardware
  /** Of its hardware, the disks that it finds. */
  readonly disks: Hardware['disks']
  readonly platform: 'metal' | 'container'
  /** Of what runs now, `v1.13.0`. */
  readonly talosVersion: string
  readonly schematic: string | undefined
  readonly door: Door
  /** Told whenever `door`, or the keys behind it, changed: open connections end. */
  onDoor(listener: () => void): Cancel
  readonly type: 'controlplane' | 'worker' | undefined
  readonly hostname: string
  /** The configuration that is active. */
  readonly config: MachineConfig | undefined
  /** New with every boot. */
  readonly bootId: string
  /** By how much its clock is wrong. */
  readonly clockSkewMs: number
  readonly resources: ResourceStore
  readonly events: EventLog
  readonly services: readonly ServiceState[]
  readonly images: ImageStore
  /** Its part in etcd; only control planes that run have one. */
  readonly etcd: EtcdMember | undefined
  /** The etcd of its cluster, by a member on another control plane that it finds. */
  readonly clusterEtcd: EtcdMember | undefined

  applyConfiguration(request: ApplyRequest): ApplyResult
  bootstrap(request: BootstrapRequest): void
  /** Takes the bytes of a snapshot, which `bootstrap` with `recoverEtcd` uses. */
  receiveSnapshot(bytes: Uint8Array): void
  reboot(mode: RebootMode): Actor
  shutdown(force: boolean): Actor
  reset(request: ResetRequest): Actor
  rollback(): void
  /** The older way to upgrade, with its checks; resolves when the machine has accepted it. */
  upgrade(request: UpgradeRequest): Promise<Actor>
  /** The newer way, from v1.13: writes the image beside the old one; the next reboot runs it. Lines of progress, then the exit code. */
  lifecycleUpgrade(source: UpgradeSource): AsyncIterable<string | { exitCode: number }>
  lifecycleInstall(request: InstallRequest): AsyncIterable<string | { exitCode: number }>
  startService(id: string): string
  stopService(id: string): string
  restartService(id: string): string
  writeMeta(key: number, value: Uint8Array): void
  deleteMeta(key: number): void
  wipeDevices(devices: readonly string[]): void
  /** What a file holds: `/proc/sys/kernel/random/boot_id` and the few others that clients read. */
  readFile(path: string): Promise<Uint8Array>
}

/** Identifies what a request set off, in the events that follow from it. */
export interface Actor {
  actorId: string
}

export type ApplyMode = 'REBOOT' | 'AUTO' | 'NO_REBOOT' | 'STAGED' | 'TRY'

export interface ApplyRequest {
  /** The text of the whole configuration. */
  text: string
  mode: ApplyMode
  dryRun: boolean
  tryTimeoutMs: number | undefined
}

export interface ApplyResult {
  warnings: readonly string[]
  /** What was done in the end. */
  mode: ApplyMode
  details: string
}

export interface BootstrapRequest {
  recoverEtcd: boolean
  skipHashCheck: boolean
}

export type RebootMode = 'DEFAULT' | 'POWERCYCLE' | 'FORCE'

export interface ResetRequest {
  graceful: boolean
  reboot: boolean
  /** Labels of system partitions; none: the whole system disk. */
  partitions: readonly { label: string; wipe: boolean }[]
  userDisks: readonly string[]
  mode: 'ALL' | 'SYSTEM_DISK' | 'USER_DISKS'
}

export interface UpgradeRequest {
  image: string
  preserve: boolean
  stage: boolean
  force: boolean
  rebootMode: 'DEFAULT' | 'POWERCYCLE'
}

/** An image that was fetched, and where to. */
export interface UpgradeSource {
  image: string
  namespace: ImageNamespace
}

export interface InstallRequest extends UpgradeSource {
  disk: string
}
