import type { Disk } from '#simulator/machine/hardware.ts'
import { Refusal } from '#simulator/refusal.ts'
import {
  BlockDeviceWipeDescriptor_Method,
  Disk_DiskType,
  StorageService,
} from '#talos/generated/storage/storage_pb.ts'
import { served } from './served-method.ts'
import { systemDiskOf } from './system-disk.ts'

/** The disks of a machine. */
export const storageCalls = served(StorageService, {
  disks: (_, { machine }) => {
    const systemDisk = systemDiskOf(machine)
    return {
      messages: [{ disks: machine.disks.map((disk) => shown(disk, systemDisk)) }],
    }
  },
  blockDeviceWipe: ({ devices }, { machine }) => {
    for (const { method } of devices) {
      if (!METHODS.includes(method)) {
        throw new Refusal('InvalidArgument', `unsupported wipe method ${method}`)
      }
    }
    machine.wipeDevices(devices.map(({ device }) => device))
    return { messages: [{}] }
  },
})

const METHODS: readonly number[] = Object.values(BlockDeviceWipeDescriptor_Method)

const shown = (disk: Disk, systemDisk: string | undefined) => ({
  size: BigInt(disk.bytes),
  model: disk.model,
  deviceName: disk.path,
  name: disk.path.replace('/dev/', ''),
  serial: disk.serial,
  type: Disk_DiskType[disk.type],
  busPath: disk.busPath,
  systemDisk: disk.path === systemDisk,
  subsystem: '/sys/class/block',
  readonly: disk.isReadOnly,
})
