import type { Boot } from '#simulator/machine/boot.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import type { RebootMode } from '#simulator/machine/machine.ts'
import { endPods } from './drain.ts'
import { restart } from './installer.ts'
import type { SequenceBody } from './sequence-run.ts'
import { stopForRestart } from './stop-services.ts'

/** Ends everything and boots again. */
export const rebootSequence =
  (inside: MachineInside, boot: Boot, mode: RebootMode): SequenceBody =>
  async (run) => {
    inside.passes('before-reboot')
    if (mode !== 'FORCE') {
      await endPods(inside, run, 'stopAllPods')
      await stopForRestart(inside, run, { boot, kexecs: mode === 'DEFAULT' })
    }
    await restart(inside, boot, run)
  }
