import type { Boot } from '#simulator/machine/boot.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import type { ResetRequest } from '#simulator/machine/machine.ts'
import { drainIfPossible, endPods } from './drain.ts'
import { powerOff, restart } from './installer.ts'
import { leaveEtcd } from './leave-etcd.ts'
import type { SequenceBody, SequenceRun } from './sequence-run.ts'
import { stopForRestart } from './stop-services.ts'

// Without one of these the machine does not boot from its disk any more.
const BOOT_PARTITIONS = ['BOOT', 'EFI', 'BIOS']
const FIRST_THAT_SPARES = 10

/** Leaves the cluster, wipes what is asked for, and boots again or switches itself off. */
export const resetSequence =
  (inside: MachineInside, boot: Boot, request: ResetRequest): SequenceBody =>
  async (run) => {
    if (inside.platform === 'container') {
      await stopForRestart(inside, run, { boot, kexecs: false })
      return powerOff(inside, run)
    }
    const { graceful } = request
    const labels = request.partitions.filter(({ wipe }) => wipe).map(({ label }) => label)
    if (graceful) await drainIfPossible(inside, boot, run)
    await endPods(inside, run, graceful ? 'removeAllPods' : 'stopAllPods')
    if (graceful && inside.facts?.type === 'controlplane') {
      await run.phase('leave', ['leaveEtcd', () => leaveEtcd(inside, boot, run)])
    }
    await run.phase('preReset', [
      'sendResetSignal',
      () => boot.cluster?.affiliates.forget(inside.nodeId),
    ])
    const kexecs = labels.length > 0 && !labels.some((label) => BOOT_PARTITIONS.includes(label))
    await stopForRestart(inside, run, { boot, kexecs })
    inside.passes('before-reset')
    await wipe(inside, run, { ...request, labels, minor: boot.minor })
    inside.passes('after-reset')
    await (request.reboot ? restart(inside, boot, run) : powerOff(inside, run))
  }

interface Wiping extends ResetRequest {
  /** Of the partitions that it names, those that are to be wiped. */
  readonly labels: readonly string[]
  readonly minor: number
}

async function wipe(inside: MachineInside, run: SequenceRun, request: Wiping): Promise<void> {
  const { mode, labels, userDisks } = request
  const takes = () => inside.takes('wipeDisk', run.signal)
  if (mode !== 'USER_DISKS' && !isSpared(request)) {
    const [phase, task] =
      labels.length > 0 ? ['resetSpec', 'resetSystemDiskSpec'] : ['reset', 'resetSystemDisk']
    await run.phase(phase, [
      task,
      async () => {
        await takes()
        wipePartitions(inside, labels)
      },
    ])
  }
  if (mode !== 'SYSTEM_DISK' && userDisks.length > 0) {
    await run.phase('resetUserDisks', ['resetUserDisks', takes])
    inside.record(`wipes ${userDisks.join(', ')}`)
  }
}

/** Partitions are named, and none of them is to be wiped. Older versions wipe the whole disk then. */
const isSpared = ({ partitions, labels, minor }: Wiping): boolean =>
  partitions.length > 0 && labels.length === 0 && minor >= FIRST_THAT_SPARES

function wipePartitions(inside: MachineInside, labels: readonly string[]): void {
  const { storage } = inside
  if (labels.length === 0 || labels.some((label) => BOOT_PARTITIONS.includes(label))) storage.wipe()
  if (labels.includes('STATE')) storage.state.wipe()
  if (labels.includes('EPHEMERAL')) storage.ephemeral.wipe()
  if (labels.includes('META')) storage.meta.wipe()
  inside.record(`wipes ${labels.length === 0 ? 'the system disk' : labels.join(', ')}`)
}
