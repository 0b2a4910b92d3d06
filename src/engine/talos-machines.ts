import type { TalosMachine } from '#talos/machine.ts'
import type { MachineTarget } from '#talos/machine-target.ts'

/** How machines are called: each at its own address. A TalosClient is one of these. */
export interface TalosMachines {
  machine(target: MachineTarget): TalosMachine
}
