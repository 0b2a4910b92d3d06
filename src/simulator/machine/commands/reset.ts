import type { Boot } from '#simulator/machine/boot.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import type { Actor, ResetRequest } from '#simulator/machine/machine.ts'
import { resetSequence } from '#simulator/machine/sequences/reset.ts'
import { uuidFrom } from '#simulator/machine/uuid.ts'
import { Refusal } from '#simulator/refusal.ts'
import { poweredBoot } from './powered-boot.ts'

const LABELS = ['META', 'STATE', 'EPHEMERAL']
const BOOT_LABELS = ['BOOT', 'EFI', 'BIOS']
// From this minor version on partitions are volumes, and those to boot from are none.
const FIRST_WITH_VOLUMES = 8

/** Wipes a machine, or parts of it. */
export function reset(inside: MachineInside, request: ResetRequest): Actor {
  const boot = poweredBoot(inside)
  checkUserDisks(inside, request)
  checkPartitions(inside, boot, request)
  const actorId = uuidFrom(inside.random)
  inside.record(`is told to reset${request.graceful ? '' : ' without leaving'}`)
  void boot.sequencer.run('reset', resetSequence(inside, boot, request), { actorId })
  return { actorId }
}

function checkUserDisks(inside: MachineInside, { userDisks, mode }: ResetRequest): void {
  if (userDisks.length > 0 && mode === 'SYSTEM_DISK') {
    throw refused(
      "reset failed: invalid input, wipe mode SYSTEM_DISK doesn't support UserDisksToWipe parameter",
    )
  }
  for (const name of userDisks) {
    const disk = inside.disks.find(({ path }) => path === name)
    if (!disk) throw refused(`reset user disk failed: device ${name} wasn't found`)
    if (disk.isReadOnly) throw refused(`reset user disk failed: device ${name} is readonly`)
    if (name === inside.storage.systemDisk.path) {
      throw refused(`reset user disk failed: device ${name} is the system disk`)
    }
  }
}

function checkPartitions(
  inside: MachineInside,
  { minor }: Boot,
  { partitions, mode }: ResetRequest,
): void {
  if (partitions.length > 0 && mode === 'USER_DISKS') {
    throw refused(
      "reset failed: invalid input, wipe mode USER_DISKS doesn't support SystemPartitionsToWipe parameter",
    )
  }
  const known = minor >= FIRST_WITH_VOLUMES ? LABELS : [...LABELS, ...BOOT_LABELS]
  for (const { label } of partitions) {
    if (!known.includes(label)) {
      throw refused(
        `failed to get volume status with label ${JSON.stringify(label)}: resource VolumeStatuses.block.talos.dev(runtime/${label}@undefined) doesn't exist`,
      )
    }
    if (!inside.isInstalled) {
      throw refused(`failed to reset: volume ${JSON.stringify(label)} is not located`)
    }
  }
}

const refused = (message: string): Refusal => new Refusal('Unknown', message)
