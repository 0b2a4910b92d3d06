import type { Boot } from '#simulator/machine/boot.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import { installerProblem } from '#simulator/machine/install-facts.ts'
import { SimulatedImages } from '#simulator/machine/simulated-images.ts'
import { Refusal } from '#simulator/refusal.ts'
import { Restart, type RestartKind, restartCommand, SequenceFailure } from './restart.ts'
import type { SequenceRun } from './sequence-run.ts'

/** Fetches the image that installs Talos, unless it is there, and runs it. */
export async function runInstaller(
  inside: MachineInside,
  run: SequenceRun,
  image: string,
): Promise<void> {
  const images = new SimulatedImages(inside)
  try {
    await images.pull(image, 'memory', 'pullInstaller')
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    run.signal.throwIfAborted()
    throw new SequenceFailure(error.message)
  }
  const problem = installerProblem(images.nameOf(image))
  if (problem !== undefined) throw new SequenceFailure(problem)
  await inside.takes('install', run.signal)
}

/** The last phase of most sequences. */
export async function restart(inside: MachineInside, boot: Boot, run: SequenceRun): Promise<void> {
  const kind = boot.isKexecReady ? 'kexec' : 'reboot'
  await run.phase('reboot', ['reboot', () => end(inside, kind)])
}

/** The last phase of those after which the machine is off. */
export async function powerOff(inside: MachineInside, run: SequenceRun): Promise<void> {
  await run.phase('shutdown', ['shutdown', () => end(inside, 'power off')])
}

function end(inside: MachineInside, kind: RestartKind): never {
  inside.tell({ type: 'RestartEvent', cmd: restartCommand(kind) })
  throw new Restart(kind)
}
