import type { MachineInside } from '#simulator/machine/inside.ts'
import { Refusal } from '#simulator/refusal.ts'
import { poweredBoot } from './powered-boot.ts'

/** Wipes disks that nothing uses, by their names: `sdb`. */
export function wipeDevices(inside: MachineInside, devices: readonly string[]): void {
  poweredBoot(inside)
  for (const device of devices) check(inside, device)
  if (devices.length > 0) inside.record(`wipes ${devices.join(', ')}`)
}

function check(inside: MachineInside, device: string): void {
  const name = JSON.stringify(device)
  const disk = inside.disks.find(({ path }) => path === `/dev/${device}`)
  if (!disk) throw new Refusal('NotFound', `blockdevice ${name} not found`)
  if (disk.isReadOnly) throw new Refusal('FailedPrecondition', `blockdevice ${name} is read-only`)
  if (disk.path === inside.storage.systemDisk.path) {
    throw new Refusal('FailedPrecondition', `blockdevice ${name} is in use by volume "META"`)
  }
}
