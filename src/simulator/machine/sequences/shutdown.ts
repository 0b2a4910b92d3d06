import type { Boot } from '#simulator/machine/boot.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import { drain, endPods } from './drain.ts'
import { powerOff } from './installer.ts'
import type { SequenceBody } from './sequence-run.ts'
import { stopForRestart } from './stop-services.ts'

/** Ends everything and switches itself off. */
export const shutdownSequence =
  (inside: MachineInside, boot: Boot, force: boolean): SequenceBody =>
  async (run) => {
    await run.phase('storeShutdown', ['storeShutdownEmergency', () => {}])
    if (!force) await drain(inside, boot, run)
    await endPods(inside, run, 'stopAllPods')
    await stopForRestart(inside, run, { boot, kexecs: false })
    await powerOff(inside, run)
  }
