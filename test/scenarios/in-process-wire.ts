import type { Clock } from '#base/clock.ts'
import { forwardAbort, withDeadline } from '#base/deadline.ts'
import { aborted } from '#base/on-abort.ts'
import { throwAwayAuthority } from '#simulator/wire/door-credentials.ts'
import type { Directory, Endpoint } from '#simulator/wire/endpoint.ts'
import type { Wire, WireOptions } from '#simulator/wire/start-wire.ts'
import { isSilent, NO_FAULTS } from '#simulator/wire/wire-faults.ts'
import { dialFailure } from '#talos/dial-failure.ts'
import type { Dial, Line } from '#talos/line.ts'
import { type MachineTarget, wordsFor } from '#talos/machine-target.ts'
import { InProcessLine } from './in-process-line.ts'
import { rolesAt } from './in-process-roles.ts'

const DIAL_MS = 10_000
const PORT = 50_000

interface Place {
  endpoint: Endpoint
  readonly lines: Set<InProcessLine>
}

/** Machines that can be called from within this process, under the same conditions as over TLS. */
export class InProcessWire {
  readonly #clock: Clock
  #fleetClock: Clock
  readonly #places = new Map<string, Place>()

  /** `clock`: by which certificates are judged. */
  constructor(clock: Clock) {
    this.#clock = clock
    this.#fleetClock = clock
  }

  /** For a simulation. */
  start({ clock }: WireOptions): Wire {
    this.#fleetClock = clock
    return {
      add: async (machine, faults = NO_FAULTS) => {
        this.#places.set(machine.address, { endpoint: { machine, faults }, lines: new Set() })
      },
      portAt: (address) => (this.#places.has(address) ? PORT : undefined),
      remove: async (address) => this.#remove(address),
      replace: (machine, faults = NO_FAULTS) => {
        const place = this.#places.get(machine.address)
        if (!place || place.endpoint.machine === machine) return
        cutAll(place)
        place.endpoint = { machine, faults }
      },
      [Symbol.asyncDispose]: async () => {
        for (const address of [...this.#places.keys()]) this.#remove(address)
      },
    }
  }

  readonly dial: Dial = async (target, signal) => {
    try {
      return await withDeadline({ clock: this.#clock, deadlineMs: DIAL_MS, signal }, (inTime) =>
        this.#connect(target, inTime),
      )
    } catch (error) {
      if (signal.aborted) throw signal.reason
      const isInMaintenance = async () => false
      throw await dialFailure({ target, where: wordsFor(target), isInMaintenance }, error, signal)
    }
  }

  #remove(address: string): void {
    const place = this.#places.get(address)
    this.#places.delete(address)
    if (place) cutAll(place)
  }

  async #connect(target: MachineTarget, signal: AbortSignal): Promise<Line> {
    const place = this.#places.get(target.address)
    if (!place) throw new Error(`connect ECONNREFUSED ${target.address}:${PORT}`)
    const { endpoint, lines } = place
    const { machine, faults } = endpoint
    if (isSilent(faults)) await neverAnswered(endpoint, signal)
    if (faults.isUnreachable || machine.door === 'shut') throw reset()
    const [directory, clock] = [this.#directory(), this.#clock]
    const roles = rolesAt(endpoint, target, { directory, clock })
    const onEnd = (line: InProcessLine) => lines.delete(line)
    const line = new InProcessLine({ endpoint, directory, roles, clock, onEnd })
    lines.add(line)
    return line
  }

  #directory(): Directory {
    return {
      clock: this.#fleetClock,
      wallClock: this.#clock,
      authority: () => throwAwayAuthority(this.#clock.now()),
      endpoints: () => [...this.#places.values()].map(({ endpoint }) => endpoint),
      at: (address) => this.#places.get(address)?.endpoint,
    }
  }
}

function cutAll({ lines }: Place): void {
  for (const line of [...lines]) line.cut()
}

const reset = (): Error => new Error('read ECONNRESET')

/** Nothing comes back; whoever still waits when that is over is hung up on. */
async function neverAnswered({ faults }: Endpoint, signal: AbortSignal): Promise<never> {
  const over = new AbortController()
  const leave = [
    faults.onChange(() => {
      if (!isSilent(faults)) over.abort(reset())
    }),
    forwardAbort(signal, over),
  ]
  await aborted(over.signal)
  for (const cancel of leave) cancel()
  throw over.signal.reason
}
