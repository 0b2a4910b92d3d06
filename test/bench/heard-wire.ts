import type { Machine } from '#simulator/machine/machine.ts'
import { startWire, type Wire, type WireOptions } from '#simulator/wire/start-wire.ts'
import { NO_FAULTS, type WireFaults } from '#simulator/wire/wire-faults.ts'

/** How machines come on a wire that tells of each call which machine it reached, and what it is. */
export const heardWire =
  (tell: (address: string, method: string) => void) =>
  (options: WireOptions): Wire => {
    const wire = startWire(options)
    const heard = ({ address }: Machine, faults = NO_FAULTS) =>
      telling(faults, (method) => tell(address, method))
    return {
      ...wire,
      add: (machine, faults) => wire.add(machine, heard(machine, faults)),
      replace: (machine, faults) => wire.replace(machine, heard(machine, faults)),
    }
  }

/** The same, but for that it tells: each call that is answered asks once how long it is held back. */
const telling = (faults: WireFaults, tell: (method: string) => void): WireFaults => ({
  get isUnreachable() {
    return faults.isUnreachable
  },
  get isBlackHole() {
    return faults.isBlackHole
  },
  get ignoresNew() {
    return faults.ignoresNew
  },
  latencyMs: (method) => {
    tell(method)
    return faults.latencyMs(method)
  },
  losesReply: (method) => faults.losesReply(method),
  onChange: (listener) => faults.onChange(listener),
})
