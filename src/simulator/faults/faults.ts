import type { Cancel, Clock } from '#base/clock.ts'
import type { WireFaults } from '#simulator/wire/wire-faults.ts'
import { isCalled } from './call-name.ts'
import { type Fault, type FaultTarget, isAbout } from './fault.ts'
import type { FaultName } from './fault-kinds.ts'

interface ActiveFault {
  readonly fault: Fault
  left: number
  isActive: boolean
}

/** Narrows down to faults whose options fit: a fault that does not name the option fits always. */
export type Fitting = Readonly<Record<string, (value: string) => boolean>>

/** What goes wrong in a fleet, from moment to moment. */
export class Faults {
  /** By which they begin and end. */
  readonly clock: Clock
  readonly #faults = new Set<ActiveFault>()
  readonly #listeners = new Set<(fault: Fault) => void>()

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** From now on, or from the moment that it names. The answer ends it. */
  add(fault: Fault): Cancel {
    const active: ActiveFault = { fault, left: fault.times, isActive: fault.afterMs <= 0 }
    this.#faults.add(active)
    const cancels = [() => this.#end(active)]
    if (!active.isActive) cancels.push(this.clock.after(fault.afterMs, () => this.#begin(active)))
    if (fault.forMs !== undefined) {
      cancels.push(this.clock.after(fault.afterMs + fault.forMs, () => this.#end(active)))
    }
    if (active.isActive) this.#tell(fault)
    return () => {
      for (const cancel of cancels) cancel()
    }
  }

  /** The first fault of that name that is there now. To look does not use it up. */
  find(name: FaultName, target: FaultTarget, fitting: Fitting = {}): Fault | undefined {
    return this.#found(name, target, fitting)?.fault
  }

  /** The same, and it has struck once more. */
  strike(name: FaultName, target: FaultTarget, fitting: Fitting = {}): Fault | undefined {
    const active = this.#found(name, target, fitting)
    if (!active) return undefined
    active.left -= 1
    if (active.left <= 0) this.#end(active)
    return active.fault
  }

  /** Told whenever a fault begins or ends. */
  onChange(listener: (fault: Fault) => void): Cancel {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** What goes wrong on the wire of one machine. */
  wireOf(target: FaultTarget): WireFaults {
    const isHow = (how: string) => {
      const fault = this.find('unreachable', target)
      return fault !== undefined && (fault.options.get('how') ?? 'silent') === how
    }
    const onChange = (listener: () => void) =>
      this.onChange(({ name }) => {
        if (name === 'unreachable') listener()
      })
    return {
      get isUnreachable() {
        return isHow('refused')
      },
      get isBlackHole() {
        return isHow('silent')
      },
      ignoresNew: false,
      latencyMs: (method) => Number(this.#call('slow', target, method)?.options.get('by') ?? 0),
      losesReply: (method) => this.#call('loses-reply', target, method) !== undefined,
      onChange,
    }
  }

  #call(name: 'slow' | 'loses-reply', target: FaultTarget, method: string): Fault | undefined {
    return this.strike(name, target, {
      call: (call) => isCalled(method, call),
    })
  }

  #found(name: FaultName, target: FaultTarget, fitting: Fitting): ActiveFault | undefined {
    for (const active of this.#faults) {
      const { fault, isActive } = active
      if (isActive && fault.name === name && isAbout(fault, target) && fits(fault, fitting)) {
        return active
      }
    }
    return undefined
  }

  #begin(active: ActiveFault): void {
    active.isActive = true
    this.#tell(active.fault)
  }

  #end(active: ActiveFault): void {
    if (this.#faults.delete(active)) this.#tell(active.fault)
  }

  #tell(fault: Fault): void {
    for (const listener of [...this.#listeners]) listener(fault)
  }
}

const fits = ({ options }: Fault, fitting: Fitting): boolean =>
  Object.entries(fitting).every(([key, isGood]) => {
    const value = options.get(key)
    return value === undefined || isGood(value)
  })
