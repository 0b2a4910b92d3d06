// Simulated machines, all of them in this process.

import { type Simulation, startSimulation } from '#simulator/start-simulation.ts'
import { quietLog } from '#test/quiet-log.ts'
import { answerQuestions } from './answering.ts'

export interface FleetOrder {
  addresses: readonly string[]
  talosVersion: string
  port: number
  kubernetesPort: number
}

const log = quietLog({
  error: (message, fields) =>
    void process.stderr.write(`${message}: ${JSON.stringify(fields ?? {})}\n`),
})

let simulation: Simulation | undefined

const answers = {
  /** Starts machines at full speed; resolves when all wait for a configuration. */
  async start({ addresses, talosVersion, port, kubernetesPort }: FleetOrder): Promise<void> {
    const machines = addresses.map((address) => ({ address, talosVersion }))
    simulation = await startSimulation({ machines, port, kubernetesPort, log, speed: Infinity })
    const { fleet } = simulation
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
}

export type SimulatorSubject = typeof answers

answerQuestions(answers)
