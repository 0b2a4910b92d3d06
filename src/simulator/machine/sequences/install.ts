import { upgradeProblem } from '#machineconfig/versions/compatibility.ts'
import type { Boot } from '#simulator/machine/boot.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import { installedBy } from '#simulator/machine/install-facts.ts'
import { SimulatedImages } from '#simulator/machine/simulated-images.ts'
import { restart, runInstaller } from './installer.ts'
import { SequenceFailure } from './restart.ts'
import type { SequenceBody, SequenceRun } from './sequence-run.ts'
import { prepareKexec, stopEverything } from './stop-services.ts'

/** Key of META that holds the image of an upgrade which the next boot is to do. */
export const STAGED_IMAGE = 0x07
/** And its options. */
export const STAGED_OPTIONS = 0x08

/** Puts Talos on the disk, or does an upgrade that was staged. Does nothing if there is nothing to do. */
export const installSequence =
  (inside: MachineInside, boot: Boot): SequenceBody =>
  async (run) => {
    const staged = inside.storage.meta.text(STAGED_IMAGE)
    if (inside.platform === 'container' || (inside.isInstalled && staged === undefined)) return
    await run.phase('env', ['setUserEnvVars', () => {}])
    await run.phase('install', [
      'install',
      () => (staged === undefined ? install(inside, boot, run) : upgrade(inside, run, staged)),
    ])
    await run.phase('meta', ['reloadMeta', () => {}])
    await run.phase('saveMeta', ['flushMeta', () => {}])
    await run.phase('volumeFinalize', [
      'teardownLifecycle',
      () => inside.takes('unmount', run.signal),
    ])
    await stopEverything(inside, boot, run)
    await prepareKexec(inside, boot, run)
    await restart(inside, boot, run)
  }

async function install(inside: MachineInside, boot: Boot, run: SequenceRun): Promise<void> {
  const { facts } = inside
  if (!facts) throw new SequenceFailure('no current config')
  const { image, disk: named } = facts.install
  const disk = facts.install.find(inside.disks)
  if (!disk) {
    const reason =
      named === ''
        ? 'no disks matched the expression: disk selector'
        : `lstat ${named}: no such file or directory`
    throw new SequenceFailure(reason)
  }
  inside.passes('before-install')
  await runInstaller(inside, run, image)
  inside.storage.wipe()
  inside.storage.systemDisk.install(disk.path, installedBy(image, boot.image.version))
  inside.storage.state.config = boot.unsavedConfig
  inside.storage.state.nodeId = inside.nodeId
  boot.isRestartDue = facts.install.isUnattended
  inside.record(`installs ${installedBy(image, boot.image.version).version}`)
  inside.changed()
  inside.passes('after-install')
}

async function upgrade(inside: MachineInside, run: SequenceRun, image: string): Promise<void> {
  const { meta, systemDisk } = inside.storage
  meta.delete(STAGED_IMAGE)
  meta.delete(STAGED_OPTIONS)
  inside.passes('before-upgrade')
  const name = new SimulatedImages(inside).nameOf(image)
  const next = installedBy(name, inside.talosVersion)
  const problem = upgradeProblem(inside.talosVersion, next.version)
  await runInstaller(inside, run, image)
  if (problem !== undefined) throw new SequenceFailure('task "upgrade" failed: exit code 1')
  systemDisk.upgrade(next)
  inside.record(`installs ${next.version}`)
  inside.passes('after-upgrade')
}
