import type { Kind, KubeObject, ObjectOf } from '#api/meta.ts'
import { withDeadline } from '#base/deadline.ts'
import { errorCatalogue } from '#base/error-catalogue.ts'
import { fingerprint } from '#base/fingerprint.ts'
import type { Log } from '#base/log.ts'
import { OperatorError } from '#base/operator-error.ts'
import { isConflict, isNotFound } from '#kube/api-error.ts'
import type { Verdicts } from './conditions.ts'
import type { Told } from './definition.ts'
import type { EventRecorder } from './events.ts'
import { failureCode } from './failure-code.ts'
import { addFinalizer, hasFinalizer, removeFinalizer } from './finalizer.ts'
import { inTime, type LookTools, lookAt } from './look.ts'
import type { Memory } from './memory.ts'
import type { Metrics } from './metrics.ts'
import { OwnWrites } from './own-writes.ts'
import type { Amendment, Failure, Notice } from './plan.ts'
import type { Reach, Reader } from './reader.ts'
import type { ReconcileMode } from './reconcile-mode.ts'
import { isSaid, statusAfter, writeStatus } from './status.ts'
import type { Tracing } from './tracing.ts'
import { DeclaredWriter, type Write, type Writer } from './writer.ts'

// A watch is behind by milliseconds. Longer, and it is broken: then the world is the best we have.
const SEEN_WITHIN_MS = 5_000

/** What every pass of every controller works with. */
export interface Tools extends LookTools {
  events: EventRecorder
  metrics: Metrics
  tracing: Tracing
  /** Throws when this process no longer leads. */
  assertLeading: () => void
}

interface PassOptions<K extends Kind> {
  tools: Tools
  kind: K
  resource: ObjectOf<K>
  /** What may be done for the resource. */
  mode: ReconcileMode
  reach: Reach
  writes: readonly Write[]
  deadlines: { observeMs?: number; actMs?: number }
  updatedField: string | undefined
  memory: Memory
  key: string
  log: Log
  signal: AbortSignal
}

/** One pass over one resource: everything of it that is the same for every kind. */
export class Pass<K extends Kind> {
  readonly #options: PassOptions<K>
  readonly #ownWrites: OwnWrites

  constructor(options: PassOptions<K>) {
    this.#options = options
    this.#ownWrites = new OwnWrites(options.tools.watches, options.tools.clock)
  }

  get mode(): ReconcileMode {
    return this.#options.mode
  }

  now(): Date {
    return this.#options.tools.clock.now()
  }

  /** Looks at the world, within the time that a look may take. */
  look<World>(observe: (read: Reader) => World | Promise<World>): Promise<World> {
    const { tools, reach, resource, deadlines, signal } = this.#options
    const { namespace = '' } = resource.metadata
    const limit = { deadlineMs: deadlines.observeMs, signal }
    return lookAt({ tools, reach, namespace, ...limit }, observe)
  }

  /** Does one step, within the time that a step may take, and tells how it went. */
  async act(told: Told, what: string, effect: (write: Writer) => Promise<unknown>): Promise<void> {
    const { tools, kind, resource, log } = this.#options
    const start = tools.clock.monotonicMs()
    const end = (outcome: 'done' | 'failed') =>
      tools.metrics.stepEnded({
        controller: kind.kind,
        step: what,
        outcome,
        seconds: (tools.clock.monotonicMs() - start) / 1_000,
      })
    try {
      await tools.tracing.span(`${kind.kind} ${what}`, { step: what }, () => this.#within(effect))
      end('done')
      log.info('step done', { step: what, details: told.done })
      const { reason, done: message } = told
      tools.events.tell({ kind, resource }, { type: 'Normal', reason, message })
    } catch (error) {
      end('failed')
      throw error
    }
  }

  /** Says what would be done, and does nothing. */
  pretend(what: string): void {
    this.notice({ type: 'Normal', reason: 'DryRun', message: what })
  }

  /** Tells users what is so, once, or what has happened. */
  notice({ hasHappened, ...notice }: Notice): void {
    const { tools, kind, resource } = this.#options
    if (hasHappened) tools.events.tell({ kind, resource }, notice)
    else tools.events.tellOnce({ kind, resource }, notice)
  }

  /** Tells users what went wrong; not what was cut short because we are to stop. */
  warn(reason: string, message: string): void {
    const { tools, kind, resource, signal } = this.#options
    if (!signal.aborted) tools.events.tell({ kind, resource }, { type: 'Warning', reason, message })
  }

  /** Tells of a step that somebody else was quicker than. */
  overtaken(step: string, details: string): void {
    this.#options.log.warn('somebody was quicker', { step, details })
  }

  /** Tells of a step that failed, and that the resource can do without. */
  aside(step: string, error: unknown): void {
    const { tools, kind, log } = this.#options
    tools.metrics.passFailed(kind.kind, failureCode(error))
    log.error('step failed', { step, error })
  }

  /** Counts the pass as failed for what its plan found. Throws what is to be tried again. */
  found({ code, message }: Failure): void {
    const { tools, kind, resource, memory, key, log } = this.#options
    this.notice({ type: 'Warning', reason: code, message })
    const error = new OperatorError(code, { message })
    if (errorCatalogue[code].retry === 'backoff') {
      log.warn('in the way', { errorCode: code, details: message })
      throw error
    }
    const found = fingerprint({ code, message, generation: resource.metadata.generation })
    if (memory.of(key).found === found) return
    memory.of(key).found = found
    tools.metrics.passFailed(kind.kind, code)
    log.error('pass failed', { error })
  }

  /** Makes sure that the resource cannot go without us. Resolves with it as it is then. */
  async hold(): Promise<ObjectOf<K>> {
    const { kind, resource } = this.#options
    if (hasFinalizer(kind, resource)) return resource
    const { resourceVersion, finalizers } = (await this.#set(addFinalizer)).metadata
    const changed = {
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(finalizers && { finalizers }),
    }
    return { ...resource, metadata: { ...resource.metadata, ...changed } }
  }

  /** Lets the resource go. */
  async release(): Promise<void> {
    try {
      await this.#set(removeFinalizer)
    } catch (error) {
      // It was let go before, and the cache is behind.
      if (!isNotFound(error)) throw error
    }
  }

  /** The only status write of a pass; none, if the status says all of this already. */
  async report(
    plan: { status: object; conditions: Verdicts } | undefined,
    failure?: unknown,
    amendment?: Amendment,
  ): Promise<void> {
    const { tools, kind, resource, memory, key, signal, updatedField } = this.#options
    const said = { plan, failure, amendment, updatedField }
    const status = statusAfter({ kind, resource, ...said, now: this.now() })
    // Before it is sent: the watch may tell of it before the answer is here.
    memory.of(key).reported = fingerprint(status)
    if (isSaid(kind, resource, status)) return
    const resourceVersion = this.#ownWrites.versionOf(kind, resource)
    const metadata = { ...resource.metadata, ...(resourceVersion && { resourceVersion }) }
    const on = { resource: { metadata }, status, signal, beforeSend: tools.assertLeading }
    try {
      this.#ownWrites.wrote(kind, await writeStatus(tools.client, kind, on))
    } catch (error) {
      // It has gone meanwhile, and takes what there is to say with it.
      if (!isNotFound(error)) throw error
    }
  }

  /** Shows in the status what went wrong. What goes wrong here is told, and does not hide the first. */
  async failed(
    plan: { status: object; conditions: Verdicts } | undefined,
    failure: unknown,
    amendment?: Amendment,
  ): Promise<void> {
    const { log, signal } = this.#options
    try {
      // Who rejects with nothing has failed all the same.
      const said = failure ?? new Error('it failed without saying why')
      if (!isConflict(failure) && !signal.aborted) await this.report(plan, said, amendment)
    } catch (error) {
      log.warn('status not written', { error })
    }
    await this.settle()
  }

  /** Waits until the caches show what this pass wrote. */
  async settle(): Promise<void> {
    const { signal, log } = this.#options
    const missing = await this.#ownWrites.seen(SEEN_WITHIN_MS, signal)
    if (missing.length > 0) log.warn('the cache is behind', { missing: missing.join(', ') })
  }

  async #set(change: typeof addFinalizer): Promise<KubeObject> {
    const { tools, kind, resource, signal } = this.#options
    const on = { resource, signal, beforeSend: tools.assertLeading }
    const changed = await change(tools.client, kind, on)
    this.#ownWrites.wrote(kind, changed)
    return changed
  }

  #within(effect: (write: Writer) => Promise<unknown>): Promise<unknown> {
    const { tools, writes, resource, deadlines, signal } = this.#options
    const limit = { clock: tools.clock, deadlineMs: deadlines.actMs ?? 60_000, signal }
    return withDeadline(limit, (within) => {
      // Not only Kubernetes: nothing anywhere is touched by a process that does not lead.
      tools.assertLeading()
      const writer = new DeclaredWriter({
        ...{ client: tools.client, writes, ownWrites: this.#ownWrites },
        namespace: resource.metadata.namespace ?? '',
        signal: within,
        assertLeading: tools.assertLeading,
      })
      return inTime(within, () => effect(writer))
    })
  }
}
