// Simulated machines, all of them in this process.

import { systemClock } from '#base/clock.ts'
import { isCalled } from '#simulator/faults/call-name.ts'
import { parseFault } from '#simulator/faults/parse-fault.ts'
import { openApiDoor } from '#simulator/kubernetes/serving/api-door.ts'
import { type Simulation, startSimulation } from '#simulator/start-simulation.ts'
import { type Counts, Deeds } from '#test/bench/deeds.ts'
import { heardWire } from '#test/bench/heard-wire.ts'
import { quietLog } from '#test/quiet-log.ts'
import { answerQuestions } from './answering.ts'

export interface FleetOrder {
  addresses: readonly string[]
  talosVersion: string
  port: number
  kubernetesPort: number
  /** How much faster than real machines. Left out: nothing takes time. */
  speed?: number
}

const log = quietLog({
  error: (message, fields) =>
    void process.stderr.write(`${message}: ${JSON.stringify(fields ?? {})}\n`),
})

let simulation: Simulation | undefined
/** Machines that went down, and are not running and ready again. */
const down = new Set<string>()
const deeds = new Deeds()
/** Told of each call, with whom it reached and what it is. */
let onCall: (address: string, method: string) => void = () => {}
let firstCall: Promise<number> | undefined
let endFaults = () => {}

function noteStage(address: string): void {
  const { stage, isReady } = simulation?.fleet.machine(address) ?? {}
  if (stage !== 'running') down.add(address)
  else if (isReady) down.delete(address)
}

const answers = {
  /** Starts machines; resolves when all wait for a configuration. */
  async start({ addresses, talosVersion, speed = Infinity, ...ports }: FleetOrder): Promise<void> {
    const machines = addresses.map((address) => ({ address, talosVersion }))
    const reach = {
      startWire: heardWire((address, method) => onCall(address, method)),
      openDoor: openApiDoor,
    }
    simulation = await startSimulation({ machines, log, speed, reach, ...ports })
    const { fleet } = simulation
    fleet.onChange(noteStage)
    fleet.onChange(() => deeds.note(fleet.history.happenings))
    await new Promise<void>((resolve) => {
      const look = () => {
        if (!fleet.machines.every(({ door }) => door === 'maintenance')) return
        stop()
        resolve()
      }
      const stop = fleet.onChange(look)
      look()
    })
  },

  /** What the machines are at. */
  async stages(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const { stage, isReady } of simulation?.fleet.machines ?? []) {
      const words = isReady ? `${stage}, ready` : stage
      counts[words] = (counts[words] ?? 0) + 1
    }
    return counts
  },

  /** What each machine runs. */
  async versions(): Promise<string[]> {
    return (simulation?.fleet.machines ?? []).map(({ talosVersion }) => talosVersion)
  },

  /** What each machine has been through. */
  async deeds(): Promise<Record<string, Counts>> {
    deeds.note(simulation?.fleet.history.happenings ?? [])
    return deeds.counts
  },

  /** Those of these machines that are not down. */
  async surviving(addresses: readonly string[]): Promise<string[]> {
    return addresses.filter((address) => !down.has(address))
  },

  /** Notes when one of these machines is called next, or called so: `ApplyConfiguration`. */
  async listen({ addresses, call }: { addresses: readonly string[]; call?: string }) {
    firstCall = new Promise((resolve) => {
      onCall = (address, method) => {
        if (!addresses.includes(address) || (call && !isCalled(method, call))) return
        resolve(systemClock.now().getTime())
      }
    })
  },

  /** When that was, by the time of day. Waits for it. */
  async heardAtMs(): Promise<number> {
    if (!firstCall) throw new Error('nobody listens')
    return firstCall
  },

  /** From now on something goes wrong, and what was told before does not: `unreachable:127.50.0.1`. */
  async onlyFaults(texts: readonly string[]): Promise<void> {
    endFaults()
    const cancels = texts.map((text) => simulation?.fleet.faults.add(parseFault(text)))
    endFaults = () => {
      for (const cancel of cancels) cancel?.()
    }
  },
}

export type SimulatorSubject = typeof answers

answerQuestions(answers)
