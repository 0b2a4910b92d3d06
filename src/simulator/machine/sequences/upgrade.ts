import { upgradeProblem } from '#machineconfig/versions/compatibility.ts'
import type { Boot } from '#simulator/machine/boot.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import { installedBy } from '#simulator/machine/install-facts.ts'
import type { UpgradeRequest } from '#simulator/machine/machine.ts'
import { SimulatedImages } from '#simulator/machine/simulated-images.ts'
import { drain, endPods } from './drain.ts'
import { restart, runInstaller } from './installer.ts'
import { leaveEtcd } from './leave-etcd.ts'
import { SequenceFailure } from './restart.ts'
import type { SequenceBody, SequenceRun } from './sequence-run.ts'
import { prepareKexec, stopEverything, stopForRestart, stopPods } from './stop-services.ts'

// Up to this minor version an upgrade wipes the data, unless it is told not to.
const LAST_THAT_WIPES = 7

/** Puts another version beside the one that runs, and boots it. */
export const upgradeSequence =
  (inside: MachineInside, boot: Boot, request: UpgradeRequest): SequenceBody =>
  async (run) => {
    const wipes = boot.minor <= LAST_THAT_WIPES && !request.preserve
    await drain(inside, boot, run)
    await endPods(inside, run, wipes ? 'removeAllPods' : 'stopAllPods')
    if (wipes && inside.facts?.type === 'controlplane') {
      await run.phase('leave', ['leaveEtcd', () => leaveEtcd(inside, boot, run)])
    }
    await stopPods(inside, boot, run)
    await run.phase('volumeFinalize', [
      'teardownLifecycle',
      () => inside.takes('unmount', run.signal),
    ])
    await install(inside, run, request.image)
    if (wipes) inside.storage.ephemeral.wipe()
    await restartInto(inside, run, { boot, request })
  }

/** The same for a machine without a configuration. */
export const maintenanceUpgradeSequence =
  (inside: MachineInside, boot: Boot, request: UpgradeRequest): SequenceBody =>
  async (run) => {
    await install(inside, run, request.image)
    await restartInto(inside, run, { boot, request })
  }

/** Boots, so that the next boot does the upgrade. */
export const stageUpgradeSequence =
  (inside: MachineInside, boot: Boot, request: UpgradeRequest): SequenceBody =>
  async (run) => {
    await endPods(inside, run, 'stopAllPods')
    await stopForRestart(inside, run, { boot, kexecs: request.rebootMode === 'DEFAULT' })
    await restart(inside, boot, run)
  }

async function install(inside: MachineInside, run: SequenceRun, image: string): Promise<void> {
  await run.phase('upgrade', [
    'upgrade',
    async () => {
      inside.passes('before-upgrade')
      const name = new SimulatedImages(inside).nameOf(image)
      const next = installedBy(name, inside.talosVersion)
      await runInstaller(inside, run, image)
      if (upgradeProblem(inside.talosVersion, next.version) !== undefined) {
        throw new SequenceFailure('task "upgrade" failed: exit code 1')
      }
      inside.storage.systemDisk.upgrade(next)
      inside.record(`installs ${next.version}`)
      inside.passes('after-upgrade')
    },
  ])
}

async function restartInto(
  inside: MachineInside,
  run: SequenceRun,
  { boot, request }: { boot: Boot; request: UpgradeRequest },
): Promise<void> {
  await run.phase('meta', ['reloadMeta', () => {}])
  if (request.rebootMode === 'DEFAULT') await prepareKexec(inside, boot, run)
  await stopEverything(inside, boot, run)
  await restart(inside, boot, run)
}
