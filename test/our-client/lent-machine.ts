import type { TalosMachines } from '#engine/talos-machines.ts'
import type { BoundMachine } from '#talos/machine.ts'

/** The same machines, but that whoever binds one is lent it as the test changes it. */
export const lentBy = (
  machines: TalosMachines,
  change: (same: BoundMachine) => BoundMachine,
): TalosMachines => ({
  machine: (target) => {
    const machine = machines.machine(target)
    return { ...machine, bound: (work) => machine.bound((same) => work(change(same))) }
  },
})
