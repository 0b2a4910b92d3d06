import { controllersWith } from '#operator/controllers.ts'
import { runOperator } from '#operator/operator.ts'
import type { Ports } from '#operator/ports.ts'
import { readSettings } from '#operator/settings.ts'
import type { Controller } from '#runtime/controller.ts'
import { createLog } from '#runtime/log.ts'
import { createMetrics } from '#runtime/metrics.ts'
import { type DoorsOptions, openDoors } from './operator-doors.ts'

interface Options extends Omit<DoorsOptions, 'kill'> {
  /** Another way to decide, or to reach machines, than that of the operator that is shipped. */
  controllers: ((ports: Ports) => readonly Controller[]) | undefined
  /** The variables that it is given. */
  env: Readonly<Record<string, string>>
  /** Where it writes the manifests of Machines to. */
  resultsFolder: string
  /** Takes each line of its log. */
  write: (line: string) => void
  /** Told when it dies by an interruption. */
  onDeath: () => void
}

export interface AnOperator {
  /** What it counts and measures, as Prometheus reads it. */
  metrics(): Promise<string>
  /** As if the process were killed: nothing that it does from now on has any effect. Resolves when it is gone. */
  kill(): Promise<void>
  /** Ends it as it should be ended. */
  stop(): Promise<void>
}

const SETTINGS = {
  metricsBindAddress: '0',
  healthProbeBindAddress: '0',
  // Renewed seldom: each time costs more than anything else does while nothing happens.
  leaderElectionLeaseDuration: '60s',
  leaderElectionRenewDeadline: '40s',
  leaderElectionRetryPeriod: '20s',
}

/** The whole operator in this process, with everything that it does led through the boundary. */
export async function startOperator(options: Options): Promise<AnOperator> {
  const { clock } = options
  const stopping = new AbortController()
  const die = () => {
    const shut = doors.shut()
    stopping.abort(new Error('killed'))
    return shut
  }
  const kill = () => {
    if (stopping.signal.aborted) return
    void die()
    options.onDeath()
  }
  const doors = await openDoors({ ...options, kill })
  const log = createLog({ level: 'debug', write: options.write, now: () => clock.now() })
  const metrics = createMetrics({ version: '0.0.0' })
  const settings = readSettings({
    flags: { ...SETTINGS, resultsPath: options.resultsFolder },
    env: options.env,
  })
  const ports = doors.openPorts({ log, metrics, settings })
  const running = runOperator({
    ...{ clock, log, version: '0.0.0', access: doors.access, signal: stopping.signal },
    ...{ settings, metrics },
    controllers: (options.controllers ?? controllersWith)(ports),
  })
  const gone = async () => {
    const shut = die()
    await running
    await ports[Symbol.asyncDispose]()
    await shut
  }
  return {
    metrics: () => metrics.text(),
    kill: gone,
    stop: async () => {
      stopping.abort(new Error('stopped'))
      await running
      await gone()
    },
  }
}
