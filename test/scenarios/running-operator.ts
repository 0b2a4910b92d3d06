import { ClusterNodes } from '#engine/cluster-nodes.ts'
import { Credentials } from '#engine/credentials.ts'
import { controllersWith } from '#operator/controllers.ts'
import { runOperator } from '#operator/operator.ts'
import { readSettings } from '#operator/settings.ts'
import { createLog } from '#runtime/log.ts'
import type { AnApi } from '#test/an-api.ts'
import type { Boundary } from './boundary.ts'
import { openGate } from './kubernetes-gate.ts'
import { type Known, MachineGate } from './machine-gate.ts'
import type { RacingClock } from './racing-clock.ts'

interface Options {
  api: AnApi
  clock: RacingClock
  boundary: Boundary
  port: number
  lookAt: (address: string) => Promise<Known>
  loseReply: (address: string, call: string) => void
  /** Takes each line of its log. */
  write: (line: string) => void
  /** Told when it dies by an interruption. */
  onDeath: () => void
}

export interface AnOperator {
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
  let dying: Promise<unknown> | undefined
  const die = () => {
    dying ??= Promise.all([machines[Symbol.dispose](), gate[Symbol.asyncDispose]()])
    stopping.abort(new Error('killed'))
  }
  const kill = () => {
    if (stopping.signal.aborted) return
    die()
    options.onDeath()
  }
  const machines = new MachineGate({ ...options, kill })
  const gate = await openGate({ ...options, kill })
  const log = createLog({ level: 'debug', write: options.write, now: () => clock.now() })
  const nodes = new ClusterNodes({ clock, log, userAgent: 'a scenario' })
  const ports = {
    ...{ clock, machines, nodes, writesMeta: false, credentials: new Credentials({ clock }) },
    [Symbol.asyncDispose]: () => nodes.close(),
  }
  const running = runOperator({
    ...{ clock, log, version: '0.0.0', access: gate.access, signal: stopping.signal },
    settings: readSettings({ flags: SETTINGS, env: {} }),
    controllers: controllersWith(ports),
  })
  const gone = async () => {
    await running
    await ports[Symbol.asyncDispose]()
    await dying
  }
  return {
    kill: () => {
      die()
      return gone()
    },
    stop: async () => {
      stopping.abort(new Error('stopped'))
      await running
      die()
      await gone()
    },
  }
}
