import { type Backoff, delayMs } from '#base/backoff.ts'
import type { Cancel, Clock } from '#base/clock.ts'
import type { Timed } from './queue-heap.ts'
import { Later } from './queue-later.ts'
import { FairOrder, moreUrgent, type Priority, type Waiter } from './queue-order.ts'
import { type Pass, type RunOptions, runPasses, type Source, type Wake } from './queue-run.ts'

// A first look that takes longer waits for somebody else: those behind it would wait for a machine that is off.
const LONGEST_PLACE_MS = 2_000

/** How a queue is made. Only the clock and the groups have to be said. */
export interface QueueOptions {
  clock: Clock
  /** The cluster that a key belongs to. Asked when the queue first hears of a key. */
  groupOf: (key: string) => string
  /** The most passes at once over keys of one group, so that a slow one leaves workers to others. */
  maxPerGroup?: number
  /** Between failures in a row of one key: 1 s, doubling up to 300 s, unless told otherwise. */
  backoff?: Backoff
  /** How soon after a failure a change of the world earns a key another try: 8 s unless told. */
  retryOnChangeMs?: number
  /** How long a change waits for others that come with it: not at all unless told. */
  gatherMs?: number
  /**
   * The most passes at once that are first looks, so that there is room for what is more urgent: any number unless told.
   * One that takes longer than two seconds does not count any more.
   */
  resyncsAtOnce?: number
  /** One take in so many goes by age and not by priority: 8 unless told. */
  oldestEvery?: number
  /** Yields 0 to 1, for a backoff with jitter. */
  random?: () => number
}

/** A queue in numbers, for metrics. */
export interface QueueNumbers {
  /** Keys that could be taken now, but for limits. */
  waiting: number
  /** Keys that wait for a time: to wake, or to be tried again. */
  later: number
  running: number
  /** How long the key has waited that has waited longest. */
  oldestWaitSeconds: number
  /** Groups of keys that wait or run. */
  groups: number
  /** Since the start: what was asked for with `add`, the same key twice counted twice. */
  added: number
  /** Since the start: failures that were put off to be tried again. */
  retried: number
}

/** What is known of a key. One that neither waits, runs nor is due later is not remembered. */
interface Item {
  readonly key: string
  readonly group: string
  failures: number
  failedAtMs: number
  waiter: Waiter<Item> | undefined
  /** Set while it backs off. It then has no wake: the retry is a pass, and states a new one. */
  retry: Timed<Item> | undefined
  wake: Timed<Item> | undefined
  running: Running | undefined
}

interface Running {
  readonly waiter: Waiter<Item>
  /** Gives back the place among the first looks, if it has one. Said again, it does nothing. */
  readonly leavePlace: () => void
  /** What was asked for since the pass began, which may not have seen why. */
  asked: Priority | undefined
  /** Whether its outcome is about an object that is gone. */
  isForgotten: boolean
}

/**
 * Keys that want a pass, each at most once however often they were asked for, and never two passes
 * at once for one key. Who is next: see `FairOrder`. No operation looks at all keys.
 */
export class WorkQueue implements Source {
  readonly clock: Clock
  #options: Required<QueueOptions>
  #items = new Map<string, Item>()
  #order: FairOrder<Item>
  #later: Later<Item>
  #running = 0
  #resyncs = 0
  #added = 0
  #retried = 0
  #listener: (() => void) | undefined

  constructor(options: QueueOptions) {
    this.clock = options.clock
    this.#options = {
      maxPerGroup: Infinity,
      backoff: { firstMs: 1_000, mostMs: 300_000 },
      retryOnChangeMs: 8_000,
      gatherMs: 0,
      resyncsAtOnce: Infinity,
      oldestEvery: 8,
      random: Math.random,
      ...options,
    }
    this.#order = new FairOrder(this.#options)
    this.#later = new Later(options.clock)
  }

  /**
   * Asks for a pass that begins after this call. Changes seldom come alone: those that come soon after one another
   * get one pass. A key in backoff: an edit is tried at once and starts
   * the table anew; a change brings the retry forward to 8 s after the failure, since it may be the
   * cure, or the failed pass's own doing; a resync waits for the retry. A key that waits for its first look stays where it
   * is whatever changes: nothing is known of it yet, and it sees all that in one.
   */
  add(key: string, priority: Priority): void {
    this.#added++
    this.#ask(this.#item(key), priority)
    this.#listener?.()
  }

  /**
   * Asks for a pass at a time of day, as a change; the earliest of several counts. A pass that begins
   * before, whatever for, takes the place of it: each pass states its own. So does a coming retry.
   */
  addAt(key: string, date: Date): void {
    const at = this.#later.wakeTimeOf(date)
    this.#wakeAt(this.#item(key), at)
    this.#listener?.()
  }

  /** Drops all that is known of a key. A pass that runs is left to end, and its outcome ignored. */
  forget(key: string): void {
    const item = this.#items.get(key)
    if (item === undefined) return
    item.failures = 0
    this.#dropTimes(item)
    if (item.waiter) this.#order.remove(item.waiter)
    item.waiter = undefined
    if (item.running) item.running = { ...item.running, asked: undefined, isForgotten: true }
    this.#release(item)
  }

  /** Makes passes until the signal aborts, then waits for those that run. One run at a time. */
  run(pass: Pass, options: RunOptions): Promise<void> {
    return runPasses(this, pass, options)
  }

  /** The key whose turn it is. Whoever takes it says `succeeded` or `failed` in the end. */
  take(): string | undefined {
    this.#rouse()
    const waiter = this.#order.take(this.#resyncs >= this.#options.resyncsAtOnce)
    if (waiter === undefined) return undefined
    const item = waiter.ask.value
    this.#dropTimes(item)
    item.waiter = undefined
    const leavePlace = waiter.priority === 'resync' ? this.#takePlace() : () => {}
    item.running = { waiter, leavePlace, asked: undefined, isForgotten: false }
    this.#running++
    return item.key
  }

  /** Ends a pass: no backoff any more, and when to look next. `again` is no less than a change. */
  succeeded(key: string, wake: Wake): void {
    const at = typeof wake === 'object' ? this.#later.wakeTimeOf(wake) : undefined
    const ended = this.#end(key)
    if (ended === undefined) return
    const { item, pass } = ended
    item.failures = 0
    if (pass.asked) this.#gather(item, pass.asked)
    if (!pass.isForgotten && at !== undefined) this.#wakeAt(item, at)
    if (!pass.isForgotten && wake === 'again') {
      this.#enqueue(item, moreUrgent('change', pass.waiter.priority))
    }
    this.#release(item)
    this.#listener?.()
  }

  /** Ends a pass: the key backs off, unless it was edited meanwhile. */
  failed(key: string): void {
    const ended = this.#end(key)
    if (ended === undefined) return
    const { item, pass } = ended
    if (!pass.isForgotten && pass.asked !== 'edit') this.#backOff(item, pass.asked)
    else if (pass.asked) this.#enqueue(item, pass.asked)
    this.#release(item)
    this.#listener?.()
  }

  /** Cheap: nothing is counted that is not known already. */
  get numbers(): QueueNumbers {
    this.#rouse()
    const { size: waiting, groups, oldestSinceMs } = this.#order
    const nowMs = this.clock.monotonicMs()
    return {
      waiting,
      later: this.#items.size - waiting - this.#running,
      running: this.#running,
      oldestWaitSeconds: (nowMs - (oldestSinceMs ?? nowMs)) / 1_000,
      groups,
      added: this.#added,
      retried: this.#retried,
    }
  }

  get quietMs(): number {
    return this.#later.quietMs
  }

  listen(callback: () => void): Cancel {
    if (this.#listener) throw new Error('this queue has a listener already: is it run twice?')
    this.#listener = callback
    return () => {
      this.#listener = undefined
    }
  }

  #item(key: string): Item {
    const known = this.#items.get(key)
    if (known) return known
    const item: Item = {
      key,
      group: this.#options.groupOf(key),
      failures: 0,
      failedAtMs: 0,
      waiter: undefined,
      retry: undefined,
      wake: undefined,
      running: undefined,
    }
    this.#items.set(key, item)
    return item
  }

  #ask(item: Item, priority: Priority): void {
    if (priority === 'edit') item.failures = 0
    if (priority === 'change' && item.waiter?.priority === 'resync') return
    if (item.running) item.running.asked = moreUrgent(priority, item.running.asked)
    else if (item.retry && priority !== 'edit') this.#hurry(item, priority)
    else this.#gather(item, priority)
  }

  #gather(item: Item, priority: Priority): void {
    const { gatherMs } = this.#options
    const isGathered = priority === 'change' && gatherMs > 0 && !item.waiter
    if (isGathered) this.#wakeAt(item, this.#later.wakeTimeIn(gatherMs))
    else this.#enqueue(item, priority)
  }

  // The time to wake is kept until the pass begins: it may come while the key still waits behind many others.
  #enqueue(item: Item, priority: Priority): void {
    this.#dropRetry(item)
    if (item.waiter) this.#order.raise(item.waiter, priority)
    else {
      const ask = { value: item, priority, sinceMs: this.clock.monotonicMs() }
      item.waiter = this.#order.add(item.group, ask)
    }
  }

  #wakeAt(item: Item, at: number): void {
    if (item.retry || (item.wake && item.wake.at <= at)) return
    if (item.wake) this.#later.removeWake(item.wake)
    item.wake = this.#later.addWake(item, at)
  }

  #backOff(item: Item, asked: Priority | undefined): void {
    const { backoff, random } = this.#options
    this.#dropTimes(item)
    this.#retried++
    item.failures++
    item.failedAtMs = this.clock.monotonicMs()
    const atMs = item.failedAtMs + delayMs(backoff, item.failures, random)
    item.retry = this.#later.addRetry(item, atMs)
    if (asked) this.#hurry(item, asked)
  }

  #hurry(item: Item, priority: Priority): void {
    const atMs = item.failedAtMs + this.#options.retryOnChangeMs
    if (priority === 'resync' || !item.retry || item.retry.at <= atMs) return
    this.#later.removeRetry(item.retry)
    item.retry = this.#later.addRetry(item, atMs)
  }

  /** Whose time has come joins those who wait. */
  #rouse(): void {
    for (let item = this.#later.dueRetry; item; item = this.#later.dueRetry) {
      this.#enqueue(item, 'change')
    }
    for (let item = this.#later.dueWake; item; item = this.#later.dueWake) {
      this.#dropTimes(item)
      if (item.running) item.running.asked = moreUrgent('change', item.running.asked)
      else this.#enqueue(item, 'change')
    }
  }

  #end(key: string): { item: Item; pass: Running } | undefined {
    const item = this.#items.get(key)
    const pass = item?.running
    if (item === undefined || pass === undefined) return undefined
    item.running = undefined
    this.#running--
    pass.leavePlace()
    this.#order.done(pass.waiter)
    return { item, pass }
  }

  #takePlace(): () => void {
    this.#resyncs++
    let isTaken = true
    const leave = () => {
      if (!isTaken) return
      isTaken = false
      cancel()
      this.#resyncs--
    }
    const cancel = this.clock.after(LONGEST_PLACE_MS, () => {
      leave()
      this.#listener?.()
    })
    return leave
  }

  #release(item: Item): void {
    if (!item.waiter && !item.running && !item.retry && !item.wake) this.#items.delete(item.key)
  }

  #dropTimes(item: Item): void {
    this.#dropRetry(item)
    if (item.wake) this.#later.removeWake(item.wake)
    item.wake = undefined
  }

  #dropRetry(item: Item): void {
    if (item.retry) this.#later.removeRetry(item.retry)
    item.retry = undefined
  }
}
