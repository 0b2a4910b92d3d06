import type { Boot } from '#simulator/machine/boot.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import { patience } from '#simulator/timing.ts'
import type { SequenceRun } from './sequence-run.ts'

/** Moves the pods of its node away, as far as that goes in time. */
export async function drain(inside: MachineInside, boot: Boot, run: SequenceRun): Promise<void> {
  if (!inside.facts || inside.facts.skipsNodeRegistration) return
  await run.phase('drain', [
    'cordonAndDrainNode',
    async () => {
      const half = boot.cluster?.halfOf(inside)
      if (!half?.kubernetes.node(inside.hostname)) return
      await half.kubernetes.cordonAndDrain(inside.hostname, patience.drain * 1000)
      run.signal.throwIfAborted()
    },
  ])
}

/** Pods end, with or without a trace. */
export async function endPods(
  inside: MachineInside,
  run: SequenceRun,
  task: 'stopAllPods' | 'removeAllPods',
): Promise<void> {
  await run.phase('cleanup', [task, () => inside.takes('stopPods', run.signal)])
  await run.phase('dbus', ['stopDBus', () => {}])
}
