import type { Boot } from '#simulator/machine/boot.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import { installerProblem } from '#simulator/machine/install-facts.ts'
import type { Actor, UpgradeRequest } from '#simulator/machine/machine.ts'
import { STAGED_IMAGE, STAGED_OPTIONS } from '#simulator/machine/sequences/install.ts'
import {
  maintenanceUpgradeSequence,
  stageUpgradeSequence,
  upgradeSequence,
} from '#simulator/machine/sequences/upgrade.ts'
import { SimulatedImages } from '#simulator/machine/simulated-images.ts'
import { uuidFrom } from '#simulator/machine/uuid.ts'
import { Refusal } from '#simulator/refusal.ts'
import { poweredBoot, refuseInContainers } from './powered-boot.ts'
import { checkEtcdForUpgrade } from './upgrade-checks.ts'

const LAST_WITH_LIMITS = 12

/** The older way to upgrade: fetches the image, looks whether etcd survives it, then begins. */
export async function upgrade(inside: MachineInside, request: UpgradeRequest): Promise<Actor> {
  const boot = poweredBoot(inside)
  refuseInContainers(inside)
  if (boot.isInMaintenance) refuseOptions(boot, request)
  if (!inside.isInstalled) {
    throw new Refusal('FailedPrecondition', 'Talos is not installed')
  }
  await validateImage(inside, request.image)
  if (inside.boot !== boot) throw new Refusal('Unavailable', 'the machine went down')
  checkEtcdForUpgrade(inside, boot, request)
  const actorId = uuidFrom(inside.random)
  inside.record(`is told to upgrade${request.stage ? ' with the next boot' : ''}`)
  begin(inside, boot, { ...request, actorId })
  return { actorId }
}

function refuseOptions({ minor }: Boot, { preserve, stage, force }: UpgradeRequest): void {
  if (minor > LAST_WITH_LIMITS || !(preserve || stage || force)) return
  const [name] = [preserve && 'preserve', stage && 'stage', force && 'force'].filter(Boolean)
  throw new Refusal('Unimplemented', `upgrade --${name} is not supported in maintenance mode`)
}

async function validateImage(inside: MachineInside, image: string): Promise<void> {
  const images = new SimulatedImages(inside)
  const invalid = (reason: string) =>
    new Refusal('Unknown', `error validating installer image ${JSON.stringify(image)}: ${reason}`)
  try {
    await images.pull(image, 'memory', 'pullInstaller')
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'Unavailable') throw error
    throw invalid(error.message)
  }
  const problem = installerProblem(images.nameOf(image))
  if (problem !== undefined) throw invalid(problem)
}

function begin(
  inside: MachineInside,
  boot: Boot,
  request: UpgradeRequest & { actorId: string },
): void {
  const { sequencer } = boot
  const { actorId } = request
  if (boot.isInMaintenance) {
    const body = maintenanceUpgradeSequence(inside, boot, request)
    void sequencer.run('maintenanceUpgrade', body, { actorId })
  } else if (request.stage) {
    const { meta } = inside.storage
    meta.write(STAGED_IMAGE, Buffer.from(request.image))
    meta.write(STAGED_OPTIONS, Buffer.from(JSON.stringify({ Pull: true, Upgrade: true })))
    void sequencer.run('stageUpgrade', stageUpgradeSequence(inside, boot, request), { actorId })
  } else {
    void sequencer.run('upgrade', upgradeSequence(inside, boot, request), { actorId })
  }
}
