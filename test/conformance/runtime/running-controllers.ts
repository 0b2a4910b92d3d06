import type { ApiKind } from '#api/meta.ts'
import { systemClock } from '#base/clock.ts'
import type { Log, LogFields } from '#base/log.ts'
import type { KubeClient } from '#kube/client.ts'
import type { Controller } from '#runtime/controller.ts'
import { runController, wantedBy } from '#runtime/controller-run.ts'
import { EventRecorder } from '#runtime/events.ts'
import { createMetrics } from '#runtime/metrics.ts'
import type { Tools } from '#runtime/pass.ts'
import { Running } from '#runtime/running.ts'
import type { Scope } from '#runtime/scope.ts'
import { createTracing } from '#runtime/tracing-create.ts'
import { Watches } from '#runtime/watches.ts'

/** Controllers that run as in the operator, but for the election. Disposing of it stops them. */
export interface RunningControllers extends AsyncDisposable {
  metrics: Tools['metrics']
  /** `warn the cache is behind`, … in order. */
  lines: string[]
  watches: Watches
}

interface Options {
  client: KubeClient
  controllers: readonly Controller[]
  namespaces?: readonly string[]
  assertLeading?: () => void
  scope?: Scope
}

export async function startControllers(options: Options): Promise<RunningControllers> {
  const { client, controllers, namespaces = [], assertLeading = () => {}, scope } = options
  const clock = systemClock
  const lines: string[] = []
  const log = linesTo(lines)
  const metrics = createMetrics({ version: 'test' })
  const watches = new Watches(
    {
      client,
      clock,
      namespaces,
      onState: (kind: ApiKind, state) => metrics.watchTold(kind, state),
    },
    controllers.flatMap(wantedBy),
  )
  const events = new EventRecorder({ client, clock, log, instance: 'test' })
  const tracing = await createTracing({
    ...{ enabled: false, endpoint: '', serviceName: 'test', version: 'test', clock, log },
  })
  const tools = { client, clock, watches, events, metrics, tracing, assertLeading }
  const stop = new AbortController()
  const caches = new AbortController()
  const following = Promise.all([watches.run(caches.signal), events.run(caches.signal)])
  await watches.whenSynced(stop.signal)
  const running = new Running(clock)
  const leading = Promise.all(
    controllers.map((controller) =>
      runController(controller, {
        ...{ tools, running, log, concurrency: 4, scope, signal: stop.signal },
      }),
    ),
  )
  return {
    metrics,
    lines,
    watches,
    async [Symbol.asyncDispose]() {
      stop.abort()
      await leading
      caches.abort()
      await following
    },
  }
}

const linesTo = (lines: string[]): Log => {
  const say = (level: string) => (message: string, fields?: LogFields) => {
    const error = fields?.error instanceof Error ? `: ${fields.error.message}` : ''
    lines.push(`${level} ${message}${error}`)
  }
  const log: Log = {
    error: say('error'),
    warn: say('warn'),
    info: say('info'),
    debug: say('debug'),
    with: () => log,
  }
  return log
}
