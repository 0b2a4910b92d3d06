import type { KubeObject } from '#api/meta.ts'
import type { Log } from '#base/log.ts'
import { OperatorError } from '#base/operator-error.ts'
import { isConflict } from '#kube/api-error.ts'
import { keyOf } from '#kube/cache.ts'
import type { Controller } from './controller.ts'
import { failureCode } from './failure-code.ts'
import { Memory } from './memory.ts'
import type { Tools } from './pass.ts'
import { WorkQueue } from './queue.ts'
import type { Wake } from './queue-run.ts'
import type { Running } from './running.ts'
import type { Scope } from './scope.ts'
import { firstUrgencyOf } from './wakes.ts'
import { cachedReadsOf, indexesOf, wakeOnChanges } from './waking.ts'
import type { Wanted } from './watches.ts'

// Steps that are done again and again change nothing: something else is wrong, and haste is no cure.
const MOST_REPEATS = 3
// One write of ours wakes several resources, and what those write the same ones again: without a moment's patience each gets a
// pass for each of them, and tells half of the story.
const GATHER_MS = 100
// Of thousands of machines that were well when they were last seen, each is looked at after a start. More of them at once
// are no sooner done, and whatever is edited meanwhile would wait behind them for the same few connections.
const RESYNCS_AT_ONCE = 32
// After a plan that wants to be looked at in the past, which would keep us busy for ever.
const SOONEST_WAKE_MS = 1_000

class InCircles extends Error {}

interface RunOptions {
  tools: Tools
  running: Running
  log: Log
  /** The most passes at once. */
  concurrency: number
  /** Left out: everything. */
  scope?: Scope | undefined
  signal: AbortSignal
}

/** The kinds that a controller has to have watched, and what they have to be found by. */
export const wantedBy = (controller: Controller): Wanted[] => [
  { kind: controller.kind, indexes: indexesOf(controller) },
  ...cachedReadsOf(controller).map(({ kind }) => ({ kind })),
]

/**
 * Runs one controller until the signal aborts: whatever changes wakes the resources that it matters to,
 * everything there is gets a pass at the start, and what fails is tried again. Rejects never.
 */
export async function runController(controller: Controller, options: RunOptions): Promise<void> {
  const { tools, concurrency, log, signal } = options
  const { watches, clock, metrics } = tools
  const name = controller.kind.kind
  const memory = new Memory()
  const groupOf = (key: string) => clusterOf(controller, watches.get(controller.kind, key), key)
  const maxPerGroup = Math.ceil(concurrency / 2)
  const queue = new WorkQueue({
    ...{ clock, groupOf, maxPerGroup, gatherMs: GATHER_MS, resyncsAtOnce: RESYNCS_AT_ONCE },
  })

  const stops = [
    metrics.observeQueue(name, () => queue.numbers),
    wakeOnChanges(controller, { watches, queue, memory, log, signal }),
  ]
  for (const object of watches.list(controller.kind, {})) {
    queue.add(keyOf(object), firstUrgencyOf(object))
  }
  const pass = passOf(controller, options, memory)
  await queue.run(pass, { concurrency, signal, onError: () => {} })
  for (const stop of stops) stop()
}

/** A pass as the queue makes it: measured, logged, and slowed down when it gets nowhere. */
function passOf(
  controller: Controller,
  { tools, running, log, scope = () => true }: RunOptions,
  memory: Memory,
) {
  const { clock, metrics, watches } = tools
  const name = controller.kind.kind
  let passes = 0
  return async (key: string, signal: AbortSignal): Promise<Wake> => {
    if (!scope(controller.kind, key, watches)) return undefined
    const start = clock.monotonicMs()
    const seconds = () => (clock.monotonicMs() - start) / 1_000
    const resource = watches.get(controller.kind, key)
    const passLog = log.with({
      ...{ controller: name, ...fieldsOf(controller, resource, key) },
      reconcileID: `${name}-${++passes}`,
    })
    try {
      const { wake, steps } = await running.during(`${name} ${key}`, () =>
        tools.tracing.span(`${name} pass`, { controller: name, resource: key }, () =>
          controller.pass({ tools, key, memory, log: passLog, signal }),
        ),
      )
      passLog.debug('pass done', { steps: steps.length, seconds: seconds() })
      if (wake === 'again') checkRepeats(memory.repeats(key, steps, clock.monotonicMs()))
      return wake instanceof Date ? soonest(wake) : wake
    } catch (error) {
      return failed(error)
    } finally {
      metrics.passEnded(name, seconds())
      // It went during the pass, which may have remembered something after that.
      if (!watches.get(controller.kind, key)) memory.forget(key)
    }

    // A failure, so that it backs off: the steps' own echo would wake us at once otherwise.
    function checkRepeats(times: number): void {
      if (times <= MOST_REPEATS) return
      passLog.warn('the same steps again', { times })
      throw new InCircles()
    }

    function soonest(wake: Date): Date {
      const nowMs = clock.now().getTime()
      if (Number.isNaN(wake.getTime())) throw new RangeError('the plan wakes at no time')
      return wake.getTime() > nowMs ? wake : new Date(nowMs + SOONEST_WAKE_MS)
    }

    function failed(error: unknown): Wake {
      if (!signal.aborted && !(error instanceof InCircles)) tell(error)
      const isForGood = error instanceof OperatorError && error.retry === 'never'
      if (!isForGood || !stall(error.code)) throw error
      return undefined
    }

    function tell(error: unknown): void {
      if (isConflict(error)) passLog.debug('changed meanwhile', { error })
      else {
        metrics.passFailed(name, failureCode(error))
        passLog.error('pass failed', { error })
      }
    }

    // Only if the resource shows what is wrong by now: otherwise another pass has to see to that.
    function stall(reason: string): boolean {
      if (resource) memory.stall(key, resource, reason)
      const shown = watches.get(controller.kind, key)
      return shown !== undefined && memory.isStalled(key, shown)
    }
  }
}

/** Which object a line is about. Of one that is gone by now, its key is all that is left to say. */
function fieldsOf(controller: Controller, resource: KubeObject | undefined, key: string) {
  const [name = key, namespace] = key.split('/').reverse()
  const cluster = resource ? clusterOf(controller, resource, key) : name
  return { cluster, namespace, name, generation: resource?.metadata.generation }
}

function clusterOf(controller: Controller, resource: KubeObject | undefined, key: string): string {
  try {
    return resource ? controller.clusterOf(resource) : key
  } catch {
    // The resource needs its pass all the same, if only to say what is wrong with it.
    return key
  }
}
