import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { ApiKind } from '#api/meta.ts'
import type { Cancel } from '#base/clock.ts'
import { type ErrorCode, errorTypeOf } from '#base/error-catalogue.ts'
import type { ReflectorState } from '#kube/reflector.ts'
import { kindId } from './kind-id.ts'
import { type MetricEntry, metricTable } from './metrics-table.ts'
import type { QueueNumbers } from './queue.ts'

/** The phases of a KubernetesCluster: each has its series from the start. */
export const phases = ['Pending', 'Provisioning', 'Running', 'Failed'] as const

type PhaseCounts = Partial<Record<(typeof phases)[number], number>>

interface StepEnd {
  controller: string
  step: string
  outcome: 'done' | 'failed'
  seconds: number
}

interface FileOperation {
  operation: 'create' | 'update' | 'delete'
  status: 'success' | 'failure'
}

/** What the caches know of themselves, each kind by its id. */
interface WatchNumbers {
  readonly sizes: Readonly<Record<string, number>>
  readonly unsynced: readonly string[]
  readonly broken: readonly { kind: string }[]
}

/** How many objects of a kind have a condition that says the same, and since when the first of them has it. */
export interface ConditionNumbers {
  kind: string
  type: string
  status: string
  reason: string
  objects: number
  sinceSeconds: number
}

/** An object that is not Ready. */
export interface NotReady {
  kind: string
  namespace: string
  name: string
  reason: string
  sinceSeconds: number
}

/** What the objects that are looked after say of themselves. */
export interface ObjectNumbers {
  readonly conditions: readonly ConditionNumbers[]
  readonly notReady: readonly NotReady[]
}

/**
 * What the program counts and measures, for Prometheus. What happens is told as it happens; what can be
 * looked at is looked at when somebody asks, until the returned function is called. Nothing here throws.
 */
export interface Metrics {
  passEnded(controller: string, seconds: number): void
  passFailed(controller: string, code: ErrorCode): void
  stepEnded(end: StepEnd): void
  /** A Machine was created for a KubernetesCluster. */
  machineGenerated(cluster: string, role: string): void
  fileOperated(operation: FileOperation): void
  /** A try at a call ended. Status 0: there was no answer. */
  apiAnswered(verb: string, status: number, seconds: number): void
  watchTold(kind: ApiKind, state: ReflectorState): void
  leads(isLeader: boolean): void
  observeClusters(count: () => PhaseCounts): Cancel
  observeObjects(look: () => ObjectNumbers): Cancel
  observeQueue(controller: string, numbers: () => QueueNumbers): Cancel
  observeWatches(watches: WatchNumbers): Cancel
  observeEventLoop(lagSeconds: () => number): Cancel
  /** What there is to say, in the classic text format, whatever the reader would rather have. */
  text(): Promise<string>
  readonly contentType: string
}

/** Makes all metrics of the table, in a registry of their own. */
export function createMetrics({ version }: { version: string }): Metrics {
  return new PrometheusMetrics(version)
}

class PrometheusMetrics implements Metrics {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE
  readonly #registry = new Registry()
  readonly #readers = new Set<() => void>()
  readonly #clusters = this.#gauge(metricTable.clusters)
  readonly #machinesGenerated = this.#counter(metricTable.machinesGenerated)
  readonly #passSeconds = this.#histogram(metricTable.passSeconds)
  readonly #passErrors = this.#counter(metricTable.passErrors)
  readonly #fileOperations = this.#counter(metricTable.fileOperations)
  readonly #conditions = this.#gauge(metricTable.conditions)
  readonly #conditionsSince = this.#gauge(metricTable.conditionsSince)
  readonly #notReadySince = this.#gauge(metricTable.notReadySince)
  readonly #queueDepth = this.#gauge(metricTable.queueDepth)
  readonly #queueOldestWait = this.#gauge(metricTable.queueOldestWait)
  readonly #queueAdded = this.#counter(metricTable.queueAdded)
  readonly #queueRetries = this.#counter(metricTable.queueRetries)
  readonly #steps = this.#counter(metricTable.steps)
  readonly #stepSeconds = this.#histogram(metricTable.stepSeconds)
  readonly #watchRestarts = this.#counter(metricTable.watchRestarts)
  readonly #watchHealthy = this.#gauge(metricTable.watchHealthy)
  readonly #cachedObjects = this.#gauge(metricTable.cachedObjects)
  readonly #apiRequests = this.#counter(metricTable.apiRequests)
  readonly #apiSeconds = this.#histogram(metricTable.apiSeconds)
  readonly #leader = this.#gauge(metricTable.leader)
  readonly #eventLoopLag = this.#gauge(metricTable.eventLoopLag)

  constructor(version: string) {
    this.#gauge(metricTable.build).set({ version, node: process.version }, 1)
    for (const phase of phases) this.#clusters.set({ phase }, 0)
    this.#observeProcess()
  }

  passEnded(controller: string, seconds: number): void {
    this.#passSeconds.observe({ controller }, measured(seconds))
  }

  passFailed(controller: string, code: ErrorCode): void {
    this.#passErrors.inc({ controller, error_type: errorTypeOf(code) })
  }

  stepEnded({ controller, step, outcome, seconds }: StepEnd): void {
    this.#steps.inc({ controller, step, outcome })
    this.#stepSeconds.observe({ controller, step }, measured(seconds))
  }

  machineGenerated(cluster: string, role: string): void {
    this.#machinesGenerated.inc({ cluster, role })
  }

  fileOperated({ operation, status }: FileOperation): void {
    this.#fileOperations.inc({ operation, status })
  }

  apiAnswered(verb: string, status: number, seconds: number): void {
    this.#apiRequests.inc({ verb, code: status })
    this.#apiSeconds.observe({ verb }, measured(seconds))
  }

  watchTold(kind: ApiKind, state: ReflectorState): void {
    const reason = restartOf(state)
    if (reason) this.#watchRestarts.inc({ kind: kindId(kind), reason })
  }

  leads(isLeader: boolean): void {
    this.#leader.set(isLeader ? 1 : 0)
  }

  observeClusters(count: () => PhaseCounts): Cancel {
    return this.#read(() => {
      const counts = count()
      for (const phase of phases) this.#clusters.set({ phase }, counts[phase] ?? 0)
    })
  }

  observeObjects(look: () => ObjectNumbers): Cancel {
    const gauges = [this.#conditions, this.#conditionsSince, this.#notReadySince]
    const stop = this.#read(() => {
      const { conditions, notReady } = look()
      // What is said no more has no series.
      for (const gauge of gauges) gauge.reset()
      for (const { objects, sinceSeconds, ...labels } of conditions) {
        this.#conditions.set(labels, objects)
        this.#conditionsSince.set(labels, sinceSeconds)
      }
      for (const { namespace, name, sinceSeconds, ...labels } of notReady) {
        const named = { ...labels, object_namespace: namespace, object_name: name }
        this.#notReadySince.set(named, sinceSeconds)
      }
    })
    return () => {
      stop()
      for (const gauge of gauges) gauge.reset()
    }
  }

  observeQueue(controller: string, numbers: () => QueueNumbers): Cancel {
    const added = growth((by) => this.#queueAdded.inc({ controller }, by))
    const retries = growth((by) => this.#queueRetries.inc({ controller }, by))
    const states = ['waiting', 'later', 'running'] as const
    const stop = this.#read(() => {
      const seen = numbers()
      for (const state of states) this.#queueDepth.set({ controller, state }, seen[state])
      this.#queueOldestWait.set({ controller }, seen.oldestWaitSeconds)
      added(seen.added)
      retries(seen.retried)
    })
    return () => {
      stop()
      for (const state of states) this.#queueDepth.remove({ controller, state })
      this.#queueOldestWait.remove({ controller })
    }
  }

  observeWatches(watches: WatchNumbers): Cancel {
    return this.#read(() => {
      const ill = new Set([...watches.unsynced, ...watches.broken.map(({ kind }) => kind)])
      for (const [kind, size] of Object.entries(watches.sizes)) {
        this.#cachedObjects.set({ kind }, size)
        this.#watchHealthy.set({ kind }, ill.has(kind) ? 0 : 1)
      }
    })
  }

  observeEventLoop(lagSeconds: () => number): Cancel {
    return this.#read(() => this.#eventLoopLag.set(lagSeconds()))
  }

  text(): Promise<string> {
    for (const read of this.#readers) {
      try {
        read()
      } catch {
        // What cannot be looked at stays as it was seen last; the rest is told.
      }
    }
    return this.#registry.metrics()
  }

  #observeProcess(): void {
    const memory = this.#gauge(metricTable.residentMemory)
    const cpu = this.#counter(metricTable.cpuSeconds)
    const used = growth((by) => cpu.inc(by))
    this.#gauge(metricTable.startTime).set(Math.round(performance.timeOrigin) / 1_000)
    this.#read(() => {
      memory.set(process.memoryUsage.rss())
      const { user, system } = process.cpuUsage()
      used((user + system) / 1e6)
    })
  }

  #read(reader: () => void): Cancel {
    this.#readers.add(reader)
    return () => this.#readers.delete(reader)
  }

  #counter<Label extends string>({ name, help, labels }: MetricEntry<Label>): Counter<Label> {
    return new Counter({ name, help, labelNames: namesOf(labels), registers: [this.#registry] })
  }

  #gauge<Label extends string>({ name, help, labels }: MetricEntry<Label>): Gauge<Label> {
    return new Gauge({ name, help, labelNames: namesOf(labels), registers: [this.#registry] })
  }

  #histogram<Label extends string>(entry: MetricEntry<Label>): Histogram<Label> {
    const { name, help, labels, buckets = [] } = entry
    return new Histogram({
      ...{ name, help, labelNames: namesOf(labels), buckets: [...buckets] },
      registers: [this.#registry],
    })
  }
}

function namesOf<Label extends string>(labels: Record<Label, string>): Label[] {
  const names: Label[] = []
  for (const name in labels) names.push(name)
  return names
}

/** Why a watch begins anew, if that is what the state tells of. */
function restartOf(state: ReflectorState): string | undefined {
  if (state.state === 'resumed' || state.state === 'failed') return state.state
  return state.state === 'listed' && state.why !== 'start' ? state.why : undefined
}

/** Adds to a counter what a total has grown by. One that shrank was begun anew. */
function growth(add: (by: number) => void): (total: number) => void {
  let seen = 0
  return (total) => {
    add(total < seen ? total : total - seen)
    seen = total
  }
}

/** A clock that is broken must not break what it measures. */
const measured = (seconds: number): number => (Number.isFinite(seconds) ? Math.max(0, seconds) : 0)
