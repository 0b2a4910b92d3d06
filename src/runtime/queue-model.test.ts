import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { WorkQueue } from './queue.ts'
import { moreUrgent, type Priority, priorities } from './queue-order.ts'

// Few keys and short times, so that much happens to each.
const MAX_PER_GROUP = 1
const RETRY_ON_CHANGE = 1
const keys = ['a/1', 'a/2', 'b/1']
const groupOf = (key: string) => key.charAt(0)

/** What the queue promises of one key, written down as plainly as can be. Times in seconds. */
interface Known {
  waiting?: Priority
  wakeAt?: number
  retryAt?: number
  failures: number
  failedAt: number
  running?: { priority: Priority; asked?: Priority; isForgotten: boolean }
}

/** The promises without the machinery: every question is answered by looking at all keys. */
class Model {
  readonly gather: number
  now = 0
  known = new Map(keys.map((key): [string, Known] => [key, { failures: 0, failedAt: 0 }]))

  constructor(gather: number) {
    this.gather = gather
  }

  of(key: string): Known {
    return this.known.get(key) ?? { failures: 0, failedAt: 0 }
  }

  add(key: string, priority: Priority): void {
    const known = this.of(key)
    if (priority === 'edit') known.failures = 0
    if (priority === 'change' && known.waiting === 'resync') return
    if (known.running) known.running.asked = moreUrgent(priority, known.running.asked)
    else if (known.retryAt === undefined || priority === 'edit') this.ask(known, priority)
    else if (priority === 'change') {
      known.retryAt = Math.min(known.retryAt, known.failedAt + RETRY_ON_CHANGE)
    }
  }

  ask(known: Known, priority: Priority): void {
    const isGathered = priority === 'change' && this.gather > 0 && !known.waiting
    if (isGathered) this.wakeAt(known, this.now + this.gather)
    else this.wait(known, priority)
  }

  wait(known: Known, priority: Priority): void {
    delete known.retryAt
    known.waiting = moreUrgent(priority, known.waiting)
  }

  addAt(key: string, at: number): void {
    this.wakeAt(this.of(key), at)
  }

  wakeAt(known: Known, at: number): void {
    if (known.retryAt === undefined) known.wakeAt = Math.min(at, known.wakeAt ?? at)
  }

  rouse(): void {
    for (const known of this.known.values()) {
      if ((known.retryAt ?? Infinity) <= this.now) this.wait(known, 'change')
      if ((known.wakeAt ?? Infinity) > this.now) continue
      delete known.wakeAt
      if (known.running) known.running.asked = moreUrgent('change', known.running.asked)
      else this.wait(known, 'change')
    }
  }

  free(): [string, Priority][] {
    return [...this.known].flatMap(([key, { waiting }]) => {
      const running = this.running().filter((other) => groupOf(other) === groupOf(key))
      return waiting && running.length < MAX_PER_GROUP ? [[key, waiting]] : []
    })
  }

  take(key: string): void {
    const { waiting: priority = 'resync', failures, failedAt } = this.of(key)
    this.known.set(key, { failures, failedAt, running: { priority, isForgotten: false } })
  }

  succeed(key: string, wake: number | 'again' | undefined): void {
    const known = this.of(key)
    const pass = known.running
    delete known.running
    known.failures = 0
    if (pass?.asked) this.ask(known, pass.asked)
    if (pass?.isForgotten) return
    if (wake === 'again') this.wait(known, moreUrgent('change', pass?.priority))
    else if (wake !== undefined) this.addAt(key, wake)
  }

  fail(key: string): void {
    const known = this.of(key)
    const { asked, isForgotten } = known.running ?? {}
    delete known.running
    if (asked === 'edit' || isForgotten) {
      if (asked) this.wait(known, asked)
      return
    }
    delete known.wakeAt
    known.failures++
    known.failedAt = this.now
    known.retryAt = this.now + Math.min(2 ** (known.failures - 1), 300)
    if (asked) this.add(key, asked)
  }

  forget(key: string): void {
    const { running } = this.of(key)
    this.known.set(key, { failures: 0, failedAt: 0 })
    if (running) {
      this.of(key).running = { priority: running.priority, isForgotten: true }
    }
  }

  running(): string[] {
    return keys.filter((key) => this.of(key).running)
  }

  numbers() {
    const waiting = keys.filter((key) => this.of(key).waiting)
    const running = this.running()
    const isDueLater = (key: string) => {
      const { waiting, running, wakeAt, retryAt } = this.of(key)
      return !waiting && !running && (wakeAt ?? retryAt) !== undefined
    }
    return {
      waiting: waiting.length,
      running: running.length,
      later: keys.filter(isDueLater).length,
      groups: new Set([...waiting, ...running].map(groupOf)).size,
    }
  }
}

interface Real {
  queue: WorkQueue
  clock: FakeClock
}

type Step = fc.AsyncCommand<Model, Real>

/** A step that first is done and then compared: the numbers of the queue are those of the model. */
const step = (title: string, run: (model: Model, real: Real) => void | Promise<void>): Step => ({
  check: (model) => !title.startsWith('end') || model.running().length > 0,
  toString: () => title,
  run: async (model, real) => {
    await run(model, real)
    model.rouse()
    expect(real.queue.numbers).toMatchObject(model.numbers())
  },
})

const inSeconds = ({ clock }: Real, seconds: number) =>
  new Date(clock.now().getTime() + seconds * 1_000)

const oneOf = (running: string[], chance: number) => running[chance % running.length] ?? ''

const aKey = fc.constantFrom(...keys)
const someSeconds = fc.integer({ min: 0, max: 10 })

const steps: fc.Arbitrary<Step>[] = [
  fc.tuple(aKey, fc.constantFrom(...priorities)).map(([key, priority]) =>
    step(`add ${key} ${priority}`, (model, { queue }) => {
      model.add(key, priority)
      queue.add(key, priority)
    }),
  ),
  fc.tuple(aKey, someSeconds).map(([key, seconds]) =>
    step(`add ${key} in ${seconds} s`, (model, real) => {
      model.addAt(key, model.now + seconds)
      real.queue.addAt(key, inSeconds(real, seconds))
    }),
  ),
  fc.constant(
    step('take', (model, { queue }) => {
      const free = model.free()
      const taken = queue.take()

      const urgent = priorities.find((priority) => free.some(([, one]) => one === priority))
      const candidates = free.filter(([, one]) => one === urgent).map(([key]) => key)
      if (taken === undefined) expect(candidates).toEqual([])
      else expect(candidates).toContain(taken)
      if (taken !== undefined) model.take(taken)
    }),
  ),
  fc.tuple(fc.nat(), fc.option(fc.constant('again' as const))).map(([chance, again]) =>
    step(`end ${chance} well ${again}`, (model, { queue }) => {
      const key = oneOf(model.running(), chance)
      model.succeed(key, again ?? undefined)
      queue.succeeded(key, again ?? undefined)
    }),
  ),
  fc.tuple(fc.nat(), someSeconds).map(([chance, seconds]) =>
    step(`end ${chance} well, wake in ${seconds} s`, (model, real) => {
      const key = oneOf(model.running(), chance)
      model.succeed(key, model.now + seconds)
      real.queue.succeeded(key, inSeconds(real, seconds))
    }),
  ),
  fc.nat().map((chance) =>
    step(`end ${chance} badly`, (model, { queue }) => {
      const key = oneOf(model.running(), chance)
      model.fail(key)
      queue.failed(key)
    }),
  ),
  aKey.map((key) =>
    step(`forget ${key}`, (model, { queue }) => {
      model.forget(key)
      queue.forget(key)
    }),
  ),
  someSeconds.map((seconds) =>
    step(`wait ${seconds} s`, async (model, { clock }) => {
      model.now += seconds
      await clock.advance(seconds * 1_000)
    }),
  ),
  fc.constant(
    step('wait until something is due', async (model, { queue, clock }) => {
      const seconds = Number.isFinite(queue.quietMs) ? queue.quietMs / 1_000 : 0
      model.now += seconds
      await clock.advance(seconds * 1_000)
    }),
  ),
]

const gathers = fc.constantFrom(0, 2)
const commands = fc.commands(steps, { size: 'large', maxCommands: 200 })

test('whatever happens, the queue does what a plain reading of its promises says', async () => {
  await fc.assert(
    fc.asyncProperty(gathers, commands, async (gather, todo) => {
      const clock = new FakeClock()
      const queue = new WorkQueue({
        clock,
        groupOf,
        maxPerGroup: MAX_PER_GROUP,
        retryOnChangeMs: RETRY_ON_CHANGE * 1_000,
        gatherMs: gather * 1_000,
        oldestEvery: Infinity,
      })

      await fc.asyncModelRun(() => ({ model: new Model(gather), real: { queue, clock } }), todo)
    }),
    { numRuns: 400 },
  )
})
