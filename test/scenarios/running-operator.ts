import { ClusterNodes } from '#engine/cluster-nodes.ts'
import { Credentials } from '#engine/credentials.ts'
import type { Carry } from '#kube/access.ts'
import { generateBundle, type NewBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { controllersWith } from '#operator/controllers.ts'
import { runOperator } from '#operator/operator.ts'
import type { Ports } from '#operator/ports.ts'
import { readSettings } from '#operator/settings.ts'
import type { Controller } from '#runtime/controller.ts'
import { createLog } from '#runtime/log.ts'
import type { Boundary } from './boundary.ts'
import type { ApiFaults } from './faults-of-api.ts'
import { throughBoundary } from './kubernetes-gate.ts'
import { type Known, MachineGate } from './machine-gate.ts'
import type { RacingClock } from './racing-clock.ts'
import type { Ways } from './ways.ts'

interface Options {
  ways: Ways
  clock: RacingClock
  boundary: Boundary
  /** What is wrong with its API, if anything can be. */
  apiFaults: ApiFaults | undefined
  /** Another way to decide, or to reach machines, than that of the operator that is shipped. */
  controllers: ((ports: Ports) => readonly Controller[]) | undefined
  lookAt: (address: string) => Promise<Known>
  isRefusing: (address: string) => boolean
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
  const { clock, ways } = options
  const stopping = new AbortController()
  const dead = new AbortController()
  let dying: Promise<unknown> | undefined
  const die = () => {
    dead.abort(new Error('this operator is dead'))
    dying ??= Promise.all([machines[Symbol.dispose](), gate[Symbol.asyncDispose]()])
    stopping.abort(new Error('killed'))
  }
  const kill = () => {
    if (stopping.signal.aborted) return
    die()
    options.onDeath()
  }
  const machines = new MachineGate({ ...options, talos: ways.talos, kill })
  const through = throughBoundary({ ...options, kill })
  const gate = await ways.openGate((onward) =>
    through(options.apiFaults?.through(onward) ?? onward),
  )
  const log = createLog({ level: 'debug', write: options.write, now: () => clock.now() })
  const { carry } = ways.nodes
  const nodes = new ClusterNodes({
    ...{ clock, log, userAgent: 'a scenario' },
    ...(carry && { carry: unlessDead(through(carry), dead.signal) }),
  })
  const ports = {
    ...{ clock, machines, nodes, writesMeta: false, credentials: new Credentials({ clock }) },
    newBundle: (given: NewBundle) => clock.elsewhere(() => generateBundle(given)),
    [Symbol.asyncDispose]: () => nodes.close(),
  }
  const running = runOperator({
    ...{ clock, log, version: '0.0.0', access: gate.access, signal: stopping.signal },
    settings: readSettings({ flags: SETTINGS, env: {} }),
    controllers: (options.controllers ?? controllersWith)(ports),
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

/** What a dead operator asks for is not even sent. */
const unlessDead =
  (carry: Carry, dead: AbortSignal): Carry =>
  async (request) => {
    dead.throwIfAborted()
    return carry(request)
  }
