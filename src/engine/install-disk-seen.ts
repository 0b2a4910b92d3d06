import type { LegacyDisk } from '#talos/calls/storage.ts'
import type { TalosMachine } from '#talos/machine.ts'

/** A disk as a machine shows it, whatever its version. */
export interface DiskSeen {
  /** `/dev/sda` */
  path: string
  sizeBytes: number
  isReadOnly: boolean
  isCd: boolean
  isUsb: boolean
  /** No moving parts: an SSD or NVMe. Cards and eMMC are not counted. */
  isFlash: boolean
  /** Other paths that lead to it. Undefined where the machine does not tell, before Talos v1.8. */
  symlinks: readonly string[] | undefined
}

type DiskResource = Awaited<ReturnType<TalosMachine['state']['disks']>>[number]

// Transports of disks, as Talos tells them. Virtual disks count: nobody knows what is below them.
const FLASH = new Set(['nvme', 'sata', 'ata', 'sas', 'virtio', 'scsi', 'pcie'])

/** A disk of Talos v1.8 and newer. */
export const diskSeen = (disk: DiskResource): DiskSeen => ({
  path: disk.dev_path,
  sizeBytes: disk.size,
  isReadOnly: disk.readonly ?? false,
  isCd: disk.cdrom ?? false,
  isUsb: disk.transport === 'usb' || isOnUsb(disk.bus_path),
  isFlash: disk.rotational !== true && FLASH.has(disk.transport ?? ''),
  symlinks: disk.symlinks ?? [],
})

/** A disk as all versions tell it. */
export const legacyDiskSeen = (disk: LegacyDisk): DiskSeen => ({
  path: disk.path,
  sizeBytes: disk.sizeBytes,
  isReadOnly: disk.isReadOnly,
  isCd: disk.type === 'cd',
  isUsb: isOnUsb(disk.busPath),
  isFlash: disk.type === 'ssd' || disk.type === 'nvme',
  symlinks: undefined,
})

const isOnUsb = (busPath = ''): boolean => /\/usb\d/.test(busPath)
