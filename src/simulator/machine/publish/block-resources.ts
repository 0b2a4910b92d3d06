import type { Disk } from '#simulator/machine/hardware.ts'
import type { ShownResource } from '#simulator/resources/machine-resources.ts'
import type { MachineView } from './machine-view.ts'
import { placed } from './placed.ts'
import { prettyBytes } from './pretty-bytes.ts'

const block = placed('runtime', 'block.talos.dev')

const FIRST_WITH_DISKS = 8
const FIRST_WITH_VOLUMES = 7
const FIRST_WITH_DEVICES = 7
const MIB = 1024 ** 2

interface Partition {
  readonly index: number
  readonly label: string
  readonly bytes: number
  readonly filesystem: string
}

// Of an installed Talos; the last one takes the rest.
const PARTITIONS: readonly Partition[] = [
  { index: 1, label: 'EFI', bytes: 100 * MIB, filesystem: 'vfat' },
  { index: 2, label: 'BIOS', bytes: MIB, filesystem: '' },
  { index: 3, label: 'BOOT', bytes: 2000 * MIB, filesystem: 'xfs' },
  { index: 4, label: 'META', bytes: MIB, filesystem: 'talosmeta' },
  { index: 5, label: 'STATE', bytes: 100 * MIB, filesystem: 'xfs' },
  { index: 6, label: 'EPHEMERAL', bytes: 0, filesystem: 'xfs' },
]

/** Disks, partitions and what they are used for; containers have none. */
export function blockResources(view: MachineView): ShownResource[] {
  const { platform, minor, disks } = view
  if (platform === 'container') return []
  return [
    ...(minor >= FIRST_WITH_DEVICES ? disks.map(deviceResource) : []),
    ...(minor >= FIRST_WITH_DISKS ? [...disks.map(diskResource), ...systemDiskResource(view)] : []),
    ...(minor >= FIRST_WITH_VOLUMES ? discoveredResources(view) : []),
    ...(minor >= FIRST_WITH_DISKS ? volumeResources(view) : []),
  ]
}

const nameOf = (path: string): string => path.replace(/^\/dev\//, '')

/** `sda1`, `nvme0n1p1` */
const partitionPath = (disk: string, index: number): string =>
  /\d$/.test(disk) ? `${disk}p${index}` : `${disk}${index}`

const deviceResource = ({ path, busPath }: Disk, index: number): ShownResource =>
  block('BlockDevices', nameOf(path), {
    type: 'disk',
    major: 8,
    minor: index * 16,
    devicePath: busPath,
    generation: 1,
  })

const diskResource = (disk: Disk): ShownResource =>
  block('Disks', nameOf(disk.path), {
    dev_path: disk.path,
    size: disk.bytes,
    pretty_size: prettyBytes(disk.bytes),
    io_size: 512,
    sector_size: 512,
    readonly: disk.isReadOnly,
    cdrom: false,
    model: disk.model,
    serial: disk.serial,
    bus_path: disk.busPath,
    sub_system: '/sys/class/block',
    transport: disk.transport,
    ...(disk.type === 'HDD' && { rotational: true }),
  })

const systemDiskResource = ({ systemDisk }: MachineView): ShownResource[] =>
  systemDisk === undefined
    ? []
    : [block('SystemDisks', 'system-disk', { diskID: nameOf(systemDisk), devPath: systemDisk })]

function discoveredResources({ disks, systemDisk }: MachineView): ShownResource[] {
  return disks.flatMap((disk) => {
    const isSystem = disk.path === systemDisk
    const whole = block('DiscoveredVolumes', nameOf(disk.path), {
      dev_path: disk.path,
      type: 'disk',
      device_path: disk.busPath,
      offset: 0,
      size: disk.bytes,
      pretty_size: prettyBytes(disk.bytes),
      sector_size: 512,
      io_size: 512,
      name: isSystem ? 'gpt' : '',
    })
    return isSystem ? [whole, ...PARTITIONS.map((part) => partitionResource(disk, part))] : [whole]
  })
}

function partitionResource(disk: Disk, { index, label, filesystem, bytes }: Partition) {
  const path = partitionPath(disk.path, index)
  const size = bytes || restOf(disk)
  return block('DiscoveredVolumes', nameOf(path), {
    dev_path: path,
    type: 'partition',
    device_path: `${disk.busPath}/${nameOf(path)}`,
    parent: nameOf(disk.path),
    parent_dev_path: disk.path,
    offset: MIB * index,
    size,
    pretty_size: prettyBytes(size),
    sector_size: 512,
    io_size: 512,
    name: filesystem,
    ...(filesystem === 'xfs' && { label }),
    partition_label: label,
    partition_index: index,
  })
}

const restOf = ({ bytes }: Disk): number =>
  bytes - PARTITIONS.reduce((sum, part) => sum + part.bytes, 2 * MIB)

function volumeResources({ disks, systemDisk, hasBootDisk }: MachineView): ShownResource[] {
  const disk = disks.find(({ path }) => path === systemDisk)
  const volumes = PARTITIONS.filter(({ label }) => ['META', 'STATE', 'EPHEMERAL'].includes(label))
  return volumes.map(({ index, label, bytes, filesystem }) => {
    const isWaiting = label === 'EPHEMERAL' && !hasBootDisk
    if (!disk || isWaiting) {
      const phase = isWaiting ? 'waiting' : 'missing'
      return block('VolumeStatuses', label, { phase, type: 'partition' })
    }
    const path = partitionPath(disk.path, index)
    const size = bytes || restOf(disk)
    return block('VolumeStatuses', label, {
      phase: 'ready',
      type: 'partition',
      location: path,
      mountLocation: path,
      partitionIndex: index,
      parentLocation: disk.path,
      size,
      prettySize: prettyBytes(size),
      filesystem: filesystem === 'talosmeta' ? 'none' : filesystem,
    })
  })
}
