import { upgradeProblem } from '#machineconfig/versions/compatibility.ts'
import type { Boot } from '#simulator/machine/boot.ts'
import { type MachineInside, PowerLost } from '#simulator/machine/inside.ts'
import { installedBy, installerProblem } from '#simulator/machine/install-facts.ts'
import type { InstallRequest, UpgradeSource } from '#simulator/machine/machine.ts'
import { SimulatedImages } from '#simulator/machine/simulated-images.ts'
import { Refusal } from '#simulator/refusal.ts'
import { poweredBoot, refuseInContainers } from './powered-boot.ts'

/** A line of what the installer says, or how it ended. */
export type Progress = string | { exitCode: number }

/** Writes another version beside the one that runs. Nothing else happens until the next boot. */
export const lifecycleUpgrade = (
  inside: MachineInside,
  source: UpgradeSource,
): AsyncGenerator<Progress> => toItsEnd(upgradeLines(inside, source))

/** Puts Talos on a disk of a machine that runs from its medium. */
export const lifecycleInstall = (
  inside: MachineInside,
  request: InstallRequest,
): AsyncGenerator<Progress> => toItsEnd(installLines(inside, request))

/** What the installer says, which goes on once it has begun, though nobody listens any more. */
async function* toItsEnd(lines: AsyncGenerator<Progress>): AsyncGenerator<Progress> {
  const said: Promise<IteratorResult<Progress, unknown>>[] = []
  const installing = async () => {
    for (;;) {
      const line = lines.next()
      said.push(line)
      // It waits for each line before the listener does, and so has asked for the next one before that is looked for.
      if ((await line).done) return
    }
  }
  // What it fails with is told by its last line.
  installing().catch(() => {})
  for (let at = 0; ; at++) {
    const line = await said[at]
    if (!line || line.done) return
    yield line.value
  }
}

async function* upgradeLines(
  inside: MachineInside,
  { image, namespace }: UpgradeSource,
): AsyncGenerator<Progress> {
  const boot = begin(inside)
  const { systemDisk } = inside.storage
  if (!inside.isInstalled) {
    throw new Refusal('FailedPrecondition', 'machine is not installed')
  }
  checkImage(inside, { image, namespace }, 'upgrade failed')
  try {
    boot.isInstalling = true
    const next = installedBy(fetchedName(inside, image), boot.image.version)
    yield `running Talos installer ${next.version}`
    inside.passes('before-upgrade')
    const problem = upgradeProblem(boot.image.version, next.version)
    if (problem !== undefined) {
      yield `pre-flight checks failed: ${problem}`
      yield { exitCode: 1 }
      return
    }
    yield `installing to ${systemDisk.path}`
    await installed(inside, boot)
    systemDisk.upgrade(next)
    inside.record(`installs ${next.version}`)
    inside.passes('after-upgrade')
    yield 'installation completed'
    yield { exitCode: 0 }
  } finally {
    boot.isInstalling = false
  }
}

async function* installLines(
  inside: MachineInside,
  { image, namespace, disk }: InstallRequest,
): AsyncGenerator<Progress> {
  const boot = begin(inside)
  const { storage } = inside
  if (inside.isInstalled) {
    throw new Refusal('AlreadyExists', 'machine is already installed')
  }
  if (image === '') throw new Refusal('InvalidArgument', 'installer image name is required')
  if (disk === '') throw new Refusal('InvalidArgument', 'destination disk is required')
  if (!inside.disks.some(({ path }) => path === disk)) {
    throw new Refusal(
      'InvalidArgument',
      `invalid disk path: lstat ${disk}: no such file or directory`,
    )
  }
  checkImage(inside, { image, namespace }, 'installation failed')
  try {
    boot.isInstalling = true
    const talos = installedBy(fetchedName(inside, image), boot.image.version)
    yield `running Talos installer ${talos.version}`
    inside.passes('before-install')
    yield `installing to ${disk}`
    await installed(inside, boot)
    storage.systemDisk.install(disk, talos)
    inside.record(`installs ${talos.version}`)
    inside.changed()
    inside.passes('after-install')
    yield 'installation completed'
    yield { exitCode: 0 }
  } finally {
    boot.isInstalling = false
  }
}

function begin(inside: MachineInside): Boot {
  const boot = poweredBoot(inside)
  refuseInContainers(inside)
  if (!boot.isInstalling) return boot
  throw new Refusal('FailedPrecondition', 'another installation/upgrade is already in progress')
}

function checkImage(
  inside: MachineInside,
  { image, namespace }: UpgradeSource,
  words: string,
): void {
  if (image === '') throw new Refusal('InvalidArgument', 'installer image name is required')
  const problem = new SimulatedImages(inside).has(image, namespace)
    ? installerProblem(fetchedName(inside, image))
    : `installer image ${JSON.stringify(image)} not found in containerd store`
  if (problem !== undefined) throw new Refusal('Internal', `${words}: ${problem}`)
}

const fetchedName = (inside: MachineInside, image: string): string =>
  new SimulatedImages(inside).nameOf(image)

async function installed(inside: MachineInside, { signal }: Boot): Promise<void> {
  try {
    await inside.takes('install', signal)
  } catch (error) {
    if (signal.aborted) throw new PowerLost()
    throw error
  }
}
