import type { MachineInside } from '#simulator/machine/inside.ts'
import type { Actor, RebootMode } from '#simulator/machine/machine.ts'
import { rebootSequence } from '#simulator/machine/sequences/reboot.ts'
import { shutdownSequence } from '#simulator/machine/sequences/shutdown.ts'
import { uuidFrom } from '#simulator/machine/uuid.ts'
import { Refusal } from '#simulator/refusal.ts'
import { poweredBoot, refuseInContainers } from './powered-boot.ts'

export function reboot(inside: MachineInside, mode: RebootMode): Actor {
  const boot = poweredBoot(inside)
  refuseInContainers(inside)
  const actorId = uuidFrom(inside.random)
  void boot.sequencer.run('reboot', rebootSequence(inside, boot, mode), { actorId })
  return { actorId }
}

export function shutdown(inside: MachineInside, force: boolean): Actor {
  const boot = poweredBoot(inside)
  refuseInContainers(inside)
  const actorId = uuidFrom(inside.random)
  const body = shutdownSequence(inside, boot, force)
  void boot.sequencer.run('shutdown', body, { actorId, takesOver: true })
  return { actorId }
}

/** Boots the version that ran before. */
export function rollback(inside: MachineInside): void {
  const boot = poweredBoot(inside)
  refuseInContainers(inside)
  const { systemDisk } = inside.storage
  if (!inside.isInstalled) throw new Refusal('FailedPrecondition', 'system disk not found')
  if (!systemDisk.revert()) {
    throw new Refusal('Unknown', 'cannot rollback to the previous version, no boot entry for it')
  }
  inside.record('is told to roll back')
  const body = rebootSequence(inside, boot, 'DEFAULT')
  void boot.sequencer.run('reboot', body, { takesOver: true })
}
