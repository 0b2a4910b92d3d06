import type { Caller, CallOptions } from '#talos/caller.ts'
import {
  BlockDeviceWipeDescriptor_Method,
  type Disk,
  Disk_DiskType,
  StorageService,
} from '#talos/generated/storage/storage_pb.ts'
import { onlyMessage } from './only-message.ts'

/** A disk as all versions tell it. Since v1.8 the resource says more. */
export interface LegacyDisk {
  /** `/dev/sda` */
  path: string
  sizeBytes: number
  type: string
  model: string
  serial: string
  wwid: string
  busPath: string
  isSystemDisk: boolean
  isReadOnly: boolean
}

export interface DeviceWipe {
  /** The name below `/dev`. */
  device: string
  /** Overwrite all of it; left out: only what makes it look used. */
  zeroes?: boolean
  skipVolumeCheck?: boolean
  /** Since v1.11. */
  skipSecondaryCheck?: boolean
  /** Since v1.10: remove the partition too. */
  dropPartition?: boolean
}

/** The disks of a machine. */
export const storageCalls = (caller: Caller) => ({
  async disks(options?: CallOptions): Promise<LegacyDisk[]> {
    const method = StorageService.method.disks
    const answer = await caller.ask(
      { method, what: 'list the disks of', pace: 'read', options },
      {},
    )
    return onlyMessage(caller, answer).disks.map(diskOf)
  },

  /** Since v1.9. Works in maintenance mode too. */
  async wipe(devices: readonly DeviceWipe[], options?: CallOptions): Promise<void> {
    const { FAST, ZEROES } = BlockDeviceWipeDescriptor_Method
    const method = StorageService.method.blockDeviceWipe
    const answer = await caller.ask(
      { method, what: 'wipe disks of', pace: 'slow', options },
      {
        devices: devices.map(({ device, zeroes = false, ...checks }) => ({
          device,
          method: zeroes ? ZEROES : FAST,
          skipVolumeCheck: checks.skipVolumeCheck ?? false,
          skipSecondaryCheck: checks.skipSecondaryCheck ?? false,
          dropPartition: checks.dropPartition ?? false,
        })),
      },
    )
    onlyMessage(caller, answer)
  },
})

const TYPES: Record<Disk_DiskType, string> = {
  [Disk_DiskType.UNKNOWN]: 'unknown',
  [Disk_DiskType.SSD]: 'ssd',
  [Disk_DiskType.HDD]: 'hdd',
  [Disk_DiskType.NVME]: 'nvme',
  [Disk_DiskType.SD]: 'sd',
  [Disk_DiskType.CD]: 'cd',
}

const diskOf = (disk: Disk): LegacyDisk => ({
  path: disk.deviceName,
  sizeBytes: Number(disk.size),
  type: TYPES[disk.type] ?? 'unknown',
  model: disk.model,
  serial: disk.serial,
  wwid: disk.wwid,
  busPath: disk.busPath,
  isSystemDisk: disk.systemDisk,
  isReadOnly: disk.readonly,
})
