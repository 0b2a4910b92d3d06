import { kinds } from '#api/kinds.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { type ApiKind, TALOS_GROUP } from '#api/meta.ts'
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { aborted, onAbort } from '#base/on-abort.ts'
import { messageOf } from '#base/operator-error.ts'
import type { ApiAccess } from '#kube/access.ts'
import { KubeClient } from '#kube/client.ts'
import type { Controller } from '#runtime/controller.ts'
import { runController, wantedBy } from '#runtime/controller-run.ts'
import { EventLoopLag } from '#runtime/event-loop-lag.ts'
import { EventRecorder } from '#runtime/events.ts'
import type { LeadershipState } from '#runtime/leader.ts'
import type { Metrics } from '#runtime/metrics.ts'
import { ownProcess, QuietCollector } from '#runtime/quiet-collector.ts'
import { Running } from '#runtime/running.ts'
import type { Scope } from '#runtime/scope.ts'
import type { Tracing } from '#runtime/tracing.ts'
import { createTracing } from '#runtime/tracing-create.ts'
import { Watches } from '#runtime/watches.ts'
import { type Election, electionOf } from './election.ts'
import { cachesAreFull, Health, loopIsFree, passesEnd, watchesWork } from './health.ts'
import { type HttpServers, serveSites } from './http-server.ts'
import { objectNumbers } from './object-numbers.ts'
import { whenServed } from './served-kinds.ts'
import { describeSettings, type Settings } from './settings.ts'
import { tellWatches } from './watch-states.ts'

/** What an operator is at, for whoever runs one within something else. */
export type OperatorState =
  | LeadershipState
  /** It leads and has seen all that there is: from here on passes are made. */
  | { state: 'working' }
  /** What it has to see cannot be listed or watched. It is tried again. */
  | { state: 'blind'; kind: ApiKind; error: unknown }

/** What an operator is made of. */
export interface OperatorOptions {
  settings: Settings
  access: ApiAccess
  controllers: readonly Controller[]
  /** What controllers count by, too. */
  metrics: Metrics
  version: string
  clock: Clock
  log: Log
  /** Ends it: passes are aborted and waited for, the Lease is given back. */
  signal: AbortSignal
  /** What it works for, of all that it sees. Left out: everything. */
  scope?: Scope
  onState?: (state: OperatorState) => void
  /** Told where probes and metrics are, once they are served. */
  onServing?: (servers: HttpServers) => void
}

/** Runs the operator until the signal aborts. Rejects when it cannot start. */
export async function runOperator(options: OperatorOptions): Promise<void> {
  const { settings, access, metrics, version, clock, log, signal } = options
  log.info('starting', { version, api: access.origin, ...describeSettings(settings) })
  for (const note of settings.notes) log.warn('setting without effect', { note })

  const { otlpHeaders } = settings
  const tracing = await createTracing({
    ...{ enabled: settings.enableTracing, endpoint: settings.otlpEndpoint, clock, log, version },
    ...(otlpHeaders && { headers: otlpHeaders }),
    serviceName: 'talos-operator',
  })
  const client = new KubeClient({
    ...{ access, clock, userAgent: `talos-operator/${version}` },
    headers: () => tracing.headers(),
    onAnswer: (verb, status, seconds) => metrics.apiAnswered(verb, status, seconds),
  })
  using lag = new EventLoopLag({ clock })
  const collectable = ownProcess()
  using _collector = collectable && new QuietCollector(clock, collectable)
  try {
    const operator = new Operator(options, { client, metrics, tracing, lag })
    await using servers = await operator.serve()
    options.onServing?.(servers)
    const unlink = onAbort(signal, () => log.info('stopping', { why: messageOf(signal.reason) }))
    await operator.work().finally(unlink)
    log.info('stopped')
  } finally {
    client.close()
    await tracing.shutdown()
  }
}

interface Parts {
  client: KubeClient
  metrics: Metrics
  tracing: Tracing
  lag: EventLoopLag
}

class Operator {
  readonly #options: OperatorOptions
  readonly #parts: Parts
  readonly #watches: Watches
  readonly #running: Running
  readonly #health = new Health()
  readonly #kindsAreServed = this.#health.addGate('crds', 'not looked for yet')

  constructor(options: OperatorOptions, parts: Parts) {
    const { clock, log, settings, controllers } = options
    const { client, metrics, lag } = parts
    const tell = tellWatches(log, metrics)
    this.#options = options
    this.#parts = parts
    this.#running = new Running(clock)
    this.#watches = new Watches(
      {
        ...{ client, clock, namespaces: settings.namespaces, optionalKinds },
        onState: (kind, state) => {
          tell(kind, state)
          if (state.state === 'failed') this.#tellBlind(kind, state.error)
        },
      },
      controllers.flatMap(wantedBy),
    )
    metrics.observeWatches(this.#watches)
    if (this.#watches.has(KubernetesCluster)) metrics.observeClusters(() => this.#phases())
    const own = controllers.map(({ kind }) => kind)
    metrics.observeObjects(() => objectNumbers(own, (kind) => this.#watches.list(kind, {})))
    metrics.observeEventLoop(() => lag.seconds)
    this.#health.addLiveness('event loop', loopIsFree(lag))
    this.#health.addLiveness('passes', passesEnd(this.#running))
    this.#health.addReadiness('caches', cachesAreFull(this.#watches))
    this.#health.addReadiness('watches', watchesWork(this.#watches))
  }

  /** How many clusters are in each phase. One that nobody has looked at yet is only asked for. */
  #phases(): Record<string, number> {
    const counts: Record<string, number> = {}
    for (const { status } of this.#watches.list(KubernetesCluster, {})) {
      const { phase = 'Pending' } = status ?? {}
      counts[phase] = (counts[phase] ?? 0) + 1
    }
    return counts
  }

  serve(): Promise<HttpServers> {
    const { settings, log } = this.#options
    const { metrics } = this.#parts
    const probes = {
      what: 'probes',
      address: settings.healthProbeBindAddress,
      setting: '--health-probe-bind-address',
      routes: { ...this.#health.routes },
    }
    const measured = {
      what: 'metrics',
      address: settings.metricsBindAddress,
      setting: '--metrics-bind-address',
      routes: {
        '/metrics': async () => ({
          status: 200,
          contentType: metrics.contentType,
          body: await metrics.text(),
        }),
      },
    }
    return serveSites([probes, measured], log)
  }

  /** Follows the API, and works while this process leads. */
  async work(): Promise<void> {
    const { settings, access, clock, log, signal, onState } = this.#options
    const { client, metrics } = this.#parts
    const { namespace } = access
    const election = electionOf({ settings, client, namespace, clock, log, metrics, onState })
    const events = new EventRecorder({ client, clock, log, instance: election.identity })
    // The caches and the events outlive the controllers: the last passes still need them.
    const rest = new AbortController()
    const following = Promise.all([this.#follow(rest.signal), events.run(rest.signal)])
    try {
      await election.leadership.run(signal, (leading) => this.#lead(election, events, leading))
    } finally {
      rest.abort()
      await following
    }
  }

  async #lead(election: Election, events: EventRecorder, signal: AbortSignal): Promise<void> {
    const { settings, controllers, clock, log, scope, onState } = this.#options
    const { assertLeading } = election
    const tools = { ...this.#parts, clock, watches: this.#watches, events, assertLeading }
    await this.#watches.whenSynced(signal)
    onState?.({ state: 'working' })
    const concurrency = ({ kind, concurrency: own }: Controller) =>
      kind === KubernetesCluster ? settings.maxConcurrentReconciles : (own ?? settings.concurrency)
    await Promise.all([
      // There is something to lead even where there is nothing to control.
      aborted(signal),
      ...controllers.map((controller) =>
        runController(controller, {
          ...{ tools, running: this.#running, log, scope, signal },
          concurrency: concurrency(controller),
        }),
      ),
    ])
  }

  /** Of what only some resources name, others may be kept from seeing it. */
  #tellBlind(kind: ApiKind, error: unknown): void {
    if (this.#watches.has(kind)) this.#options.onState?.({ state: 'blind', kind, error })
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options
    try {
      await whenServed(requiredKinds, {
        ...{ client: this.#parts.client, clock, signal },
        onWait: (why) => {
          this.#kindsAreServed.close(why)
          log.warn('waiting for the API', { why })
        },
      })
    } catch (error) {
      if (signal.aborted) return
      throw error
    }
    this.#kindsAreServed.open()
    log.info('following the API')
    await this.#watches.run(signal)
    await aborted(signal)
  }
}

const requiredKinds = kinds.filter(({ group }) => group === TALOS_GROUP)
/** Those of another group belong to whoever wants them. */
export const optionalKinds = kinds.filter((kind) => !requiredKinds.includes(kind))
