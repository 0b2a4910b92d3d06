import { type Clock, systemClock } from '#base/clock.ts'
import { apiAccess } from '#operator/api-access.ts'
import type { HttpServers } from '#operator/http-server.ts'
import { type OperatorOptions, type OperatorState, runOperator } from '#operator/operator.ts'
import type { openPorts } from '#operator/ports.ts'
import { readSettings } from '#operator/settings.ts'
import type { Controller } from '#runtime/controller.ts'
import { createLog } from '#runtime/log.ts'
import { createMetrics } from '#runtime/metrics.ts'
import { until } from '#test/until.ts'

/** An operator that runs in this process. Disposing of it asks it to stop, and waits until it has. */
export interface RunningOperator extends AsyncDisposable {
  lines: Record<string, unknown>[]
  states: OperatorState[]
  get(path: string): Promise<{ status: number; body: string }>
  stop(): Promise<void>
  untilReady(): Promise<unknown>
  /** The lines with this message, once there is one. */
  untilSaid(message: string): Promise<Record<string, unknown>[]>
}

type Given = Parameters<typeof openPorts>[0]

interface Options {
  kubeconfig: string
  /** Themselves, or how they are made of what they are to work with. */
  controllers?: readonly Controller[] | ((given: Given) => readonly Controller[])
  flags?: Record<string, string>
  scope?: OperatorOptions['scope']
  clock?: Clock
}

// An election that is decided in seconds.
const QUICK = {
  leaderElectionLeaseDuration: '2s',
  leaderElectionRenewDeadline: '1s',
  leaderElectionRetryPeriod: '200ms',
}

export async function startOperatorOf(options: Options): Promise<RunningOperator> {
  const { kubeconfig, controllers = [], flags, scope, clock = systemClock } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const anyPort = { metricsBindAddress: '127.0.0.1:0', healthProbeBindAddress: '127.0.0.1:0' }
  const settings = readSettings({ flags: { kubeconfig, ...anyPort, ...QUICK, ...flags }, env: {} })
  const access = await apiAccess(settings, { env: {}, homeFolder: '/nowhere' }, { clock, signal })
  const lines: Record<string, unknown>[] = []
  const log = createLog({ level: 'debug', write: (line) => lines.push(JSON.parse(line)) })
  const states: OperatorState[] = []
  const metrics = createMetrics({ version: '1.2.3' })
  const given = { clock, log, version: '1.2.3', metrics, settings }
  let done: Promise<void> = Promise.resolve()
  const servers = await new Promise<HttpServers>((resolve, reject) => {
    done = runOperator({
      ...{ settings, access, version: '1.2.3', metrics, clock, log, signal },
      controllers: typeof controllers === 'function' ? controllers(given) : controllers,
      onServing: resolve,
      onState: (state) => states.push(state),
      ...(scope && { scope }),
    })
    done.catch(reject)
  })
  const get = async (path: string) => {
    const site = path === '/metrics' ? 'metrics' : 'probes'
    const response = await fetch(`${servers.urlOf(site)}${path}`)
    return { status: response.status, body: await response.text() }
  }
  const stop = async () => {
    stopping.abort(new Error('the test is over'))
    await done
  }
  return {
    ...{ lines, states, get, stop, [Symbol.asyncDispose]: stop },
    untilReady: () =>
      until(
        'the operator to be ready',
        () => get('/readyz'),
        ({ status }) => status === 200,
      ),
    untilSaid: (message) =>
      until(
        `the log to say "${message}"`,
        async () => lines.filter((line) => line.message === message),
        (found) => found.length > 0,
      ),
  }
}
