import { type DiskSeen, diskSeen, legacyDiskSeen } from '#engine/install-disk-seen.ts'
import { orNothing, uuidOf } from '#engine/machine-identity.ts'
import type { BoundMachine, TalosMachine } from '#talos/machine.ts'
import type { Waiting } from './world.ts'

/** A machine that waits for its configuration: who it is, and where Talos could go. All of one machine. */
export const lookAtWaiting = (machine: TalosMachine, signal: AbortSignal): Promise<Waiting> =>
  machine.bound(async (same) => {
    const [uuid, version, disks] = await Promise.all([
      uuidOf(same, signal),
      orNothing(same.state.version({ signal })),
      disksOf(same, signal),
    ])
    return { is: 'waiting', uuid, version, disks }
  })

async function disksOf(machine: BoundMachine, signal: AbortSignal): Promise<DiskSeen[]> {
  const disks = await orNothing(machine.state.disks({ signal }))
  if (disks && disks.length > 0) return disks.map(diskSeen)
  return (await machine.storage.disks({ signal })).map(legacyDiskSeen)
}
