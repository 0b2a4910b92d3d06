import type { Boot } from '#simulator/machine/boot.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import { Refusal } from '#simulator/refusal.ts'

/** What runs on the machine. A machine that is off answers nobody. */
export function poweredBoot({ boot }: MachineInside): Boot {
  if (boot) return boot
  throw new Refusal('Unavailable', 'the machine is off')
}

/** Refuses what a container cannot do. */
export function refuseInContainers({ platform }: MachineInside): void {
  if (platform !== 'container') return
  throw new Refusal('FailedPrecondition', 'method is not supported in container mode')
}
