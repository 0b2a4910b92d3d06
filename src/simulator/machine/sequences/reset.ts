import type { Boot } from '#simulator/machine/boot.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import type { ResetRequest } from '#simulator/machine/machine.ts'
import { drain, endPods } from './drain.ts'
import { powerOff, restart } from './installer.ts'
import { leaveEtcd } from './leave-etcd.ts'
import type { SequenceBody, SequenceRun } from './sequence-run.ts'
import { stopForRestart } from './stop-services.ts'

// Without one of these the machine does not boot from its disk any more.
const BOOT_PARTITIONS = ['BOOT', 'EFI', 'BIOS']

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
    if (graceful) await drain(inside, boot, run)
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
    await wipe(inside, run, { ...request, labels })
    inside.passes('after-reset')
    await (request.reboot ? restart(inside, boot, run) : powerOff(inside, run))
  }

async function wipe(
  inside: MachineInside,
  run: SequenceRun,
  { mode, labels, userDisks }: ResetRequest & { labels: readonly string[] },
): Promise<void> {
  const takes = () => inside.takes('wipeDisk', run.signal)
  if (mode !== 'USER_DISKS') {
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

function wipePartitions(inside: MachineInside, labels: readonly string[]): void {
  const { storage } = inside
  if (labels.length === 0 || labels.some((label) => BOOT_PARTITIONS.includes(label))) storage.wipe()
  if (labels.includes('STATE')) storage.state.wipe()
  if (labels.includes('EPHEMERAL')) storage.ephemeral.wipe()
  if (labels.includes('META')) storage.meta.wipe()
  inside.record(`wipes ${labels.length === 0 ? 'the system disk' : labels.join(', ')}`)
}
