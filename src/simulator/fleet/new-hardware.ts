import type { Disk, Hardware } from '#simulator/machine/hardware.ts'
import { uuidFrom } from '#simulator/machine/uuid.ts'
import { randomBytesFrom } from '#simulator/random.ts'

const GIB = 1024 ** 3

/** A small machine with two disks, unlike any other of the same numbers. */
export const newHardware = (random: () => number, own: Partial<Hardware> = {}): Hardware => ({
  uuid: uuidFrom(random),
  serialNumber: hexFrom(random, 6).toUpperCase(),
  manufacturer: 'Pretend Machines',
  productName: 'Talos Simulator',
  macAddress: `02:${(hexFrom(random, 5).match(/../g) ?? []).join(':')}`,
  cpus: 4,
  memoryMiB: 8192,
  disks: [newDisk('/dev/sda', 40 * GIB, random), newDisk('/dev/sdb', 20 * GIB, random)],
  ...own,
})

/** An empty disk. */
export function newDisk(path: string, bytes: number, random: () => number): Disk {
  return {
    path,
    bytes,
    model: 'PRETEND SSD',
    serial: hexFrom(random, 6).toUpperCase(),
    type: 'SSD',
    transport: 'sata',
    busPath: `/pci0000:00/0000:00:07.0/ata1/host0/target0:0:0/0:0:0:0/block/${path.replace('/dev/', '')}`,
    isReadOnly: false,
  }
}

const hexFrom = (random: () => number, length: number): string =>
  Buffer.from(randomBytesFrom(random, length)).toString('hex')
