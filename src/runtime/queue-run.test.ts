import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { type QueueOptions, WorkQueue } from './queue.ts'
import { type Priority, priorities } from './queue-order.ts'
import type { Pass, RunOptions, Wake } from './queue-run.ts'

/** A queue that runs. Each pass waits until the test ends it; keys are `group/name`. */
function aRun({ concurrency = 10, ...options }: Partial<RunOptions & QueueOptions> = {}) {
  const clock = new FakeClock()
  const stop = new AbortController()
  const groupOf = (key: string) => key.slice(0, key.indexOf('/'))
  const queue = new WorkQueue({ clock, groupOf, ...options })
  const started: string[] = []
  const errors: unknown[] = []
  const running: { key: string; end: (wake?: Wake) => void; fail: (error: Error) => void }[] = []
  const pass: Pass = (key) => {
    started.push(key)
    return new Promise<Wake>((resolve, reject) => running.push({ key, end: resolve, fail: reject }))
  }
  const onError = (key: string, error: unknown) => errors.push(key, error)
  const run = (one: Pass = pass) =>
    queue.run(one, { concurrency, signal: stop.signal, onError, ...options })
  const settle = () => clock.advance(0)
  const end = async (key: string, wake?: Wake) => {
    const at = running.findIndex((one) => one.key === key)
    for (const one of running.splice(at, 1)) one.end(wake)
    await settle()
  }
  return { queue, clock, stop, run, settle, end, started, running, errors }
}

describe('a run', () => {
  test('passes over what is added, as soon as it is added', async () => {
    const { queue, stop, run, settle, started } = aRun()
    const done = run(quickly(started))
    await settle()

    queue.add('a/1', 'change')
    queue.add('a/2', 'change')

    await settle()
    expect(started).toEqual(['a/1', 'a/2'])
    stop.abort()
    await done
  })

  test('what is added together is put in order before the first is taken', async () => {
    const { queue, stop, run, settle, started } = aRun({ concurrency: 1 })
    const done = run(quickly(started))
    await settle()

    queue.add('a/resync', 'resync')
    queue.add('a/edit', 'edit')

    await settle()
    expect(started).toEqual(['a/edit', 'a/resync'])
    stop.abort()
    await done
  })

  test('has no more passes at once than it may, and never two for one key', async () => {
    const { queue, run, settle, end, started } = aRun({ concurrency: 2 })
    void run()
    for (const key of ['a/1', 'a/2', 'a/3']) queue.add(key, 'change')
    await settle()
    queue.add('a/1', 'edit')
    await settle()
    expect(started).toEqual(['a/1', 'a/2'])

    await end('a/2')
    expect(started).toEqual(['a/1', 'a/2', 'a/3'])
    await end('a/3')
    expect(started).toHaveLength(3)
    await end('a/1')
    expect(started).toEqual(['a/1', 'a/2', 'a/3', 'a/1'])
  })

  test('a cluster that hangs holds no more workers than its share', async () => {
    const { queue, run, settle, end, started } = aRun({ concurrency: 4, maxPerGroup: 2 })
    void run()
    for (let i = 0; i < 100; i++) queue.add(`dead/${i}`, 'edit')
    queue.add('fine/1', 'resync')
    await settle()
    expect(started).toEqual(['dead/0', 'dead/1', 'fine/1'])

    await end('fine/1')
    queue.add('fine/2', 'resync')
    await settle()

    expect(started.slice(3)).toEqual(['fine/2'])
  })

  test('wakes at the time that a pass named, and again at once when it says so', async () => {
    const { queue, clock, run, settle, end, started } = aRun()
    void run()
    queue.add('a/1', 'change')
    await settle()

    await end('a/1', 'again')
    expect(started).toHaveLength(2)
    await end('a/1', new Date(clock.now().getTime() + 300_000))
    await clock.advance(299_999)
    expect(started).toHaveLength(2)
    await clock.advance(1)
    expect(started).toHaveLength(3)
  })

  test('a time that is added while it sleeps for a later one is kept', async () => {
    const { queue, clock, run, started } = aRun()
    void run()
    queue.addAt('a/later', new Date(clock.now().getTime() + 20_000))
    await clock.advance(1_000)

    queue.addAt('a/sooner', new Date(clock.now().getTime() + 1_000))

    await clock.advance(1_000)
    expect(started).toEqual(['a/sooner'])
  })

  test('without room it sets no timer: what is due waits for the end of a pass', async () => {
    const { queue, clock, run, settle, end, started } = aRun({ concurrency: 1 })
    void run()
    queue.add('a/1', 'change')
    queue.addAt('a/2', new Date(clock.now().getTime() + 1_000))
    await settle()
    expect(clock.waiting).toBe(0)

    await clock.advance(2_000)
    expect(started).toEqual(['a/1'])
    await end('a/1')
    expect(started).toEqual(['a/1', 'a/2'])
  })

  test('notices within a minute that the time of day has jumped', async () => {
    const { queue, clock, run, settle, started } = aRun()
    void run()
    queue.addAt('a/1', new Date(clock.now().getTime() + 24 * 3_600_000))
    await settle()

    clock.jump(24 * 3_600_000)

    await clock.advance(60_000)
    expect(started).toEqual(['a/1'])
  })

  test('a pass that rejects, throws or answers nonsense is told, tried again, and harms no other', async () => {
    const { queue, clock, stop, run, settle, errors, started } = aRun()
    const late = new Error('late')
    const early = new Error('early')
    const troubles: Record<string, () => Promise<Wake>> = {
      'a/rejects': () => Promise.reject(late),
      'a/throws': () => {
        throw early
      },
      'a/nonsense': async () => new Date(Number.NaN),
    }
    const done = run((key, signal) => troubles[key]?.() ?? quickly(started)(key, signal))
    for (const key of [...Object.keys(troubles), 'a/fine']) queue.add(key, 'change')
    await settle()

    expect(started).toEqual(['a/fine'])
    expect(errors).toEqual(
      expect.arrayContaining(['a/rejects', late, 'a/throws', early, expect.any(RangeError)]),
    )
    expect(queue.numbers).toMatchObject({ running: 0, later: 3, retried: 3 })
    await clock.advance(1_000)
    expect(queue.numbers).toMatchObject({ running: 0, later: 3, retried: 6 })
    stop.abort()
    await done
  })

  test('a long row of passes that need no I/O lets the event loop have its turn', async () => {
    const { queue, stop, run, settle, started } = aRun()
    for (let i = 0; i < 1_000; i++) queue.add(`a/${i}`, 'resync')
    const done = run(quickly(started))

    await settle()

    expect(started.length).toBeGreaterThan(0)
    expect(started.length).toBeLessThan(1_000)
    stop.abort()
    await done
  })

  test('is refused while another goes on, and welcome after it', async () => {
    const { queue, stop, run, settle, started } = aRun()
    const done = run()

    await expect(run()).rejects.toThrow('run twice')

    stop.abort()
    await done
    queue.add('a/1', 'change')
    const next = new AbortController()
    const onError = () => {}
    void queue.run(quickly(started), { concurrency: 1, signal: next.signal, onError })
    await settle()
    expect(started).toEqual(['a/1'])
  })
})

describe('when the signal aborts', () => {
  test('nothing more is taken, what runs is waited for, and no timer is left', async () => {
    const { queue, clock, stop, run, settle, end, started } = aRun({ concurrency: 2 })
    let isDone = false
    const done = run().then(() => {
      isDone = true
    })
    queue.addAt('a/later', new Date(clock.now().getTime() + 1_000))
    for (const key of ['a/1', 'a/2', 'a/3']) queue.add(key, 'change')
    await settle()

    stop.abort()
    await end('a/1', 'again')
    await clock.advance(60_000)

    expect(isDone).toBe(false)
    await end('a/2')
    await done
    expect(started).toEqual(['a/1', 'a/2'])
    expect(clock.waiting).toBe(0)
    expect(queue.numbers).toMatchObject({ running: 0, waiting: 3 })
  })

  test('passes see it, and one that fails of it is a failure like any other', async () => {
    const { queue, stop, run, settle, errors } = aRun()
    const reason = new Error('shutting down')
    const untilAbort: Pass = (_key, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    const done = run(untilAbort)
    queue.add('a/1', 'change')
    await settle()

    stop.abort(reason)

    await done
    expect(errors).toEqual(['a/1', reason])
  })

  test('before it began, nothing is begun', async () => {
    const { queue, stop, run, started } = aRun()
    queue.add('a/1', 'change')
    stop.abort()

    await run()

    expect(started).toEqual([])
  })

  test('while it sleeps, it ends at once', async () => {
    const { clock, stop, run, settle } = aRun()
    const done = run()
    await settle()

    stop.abort()

    await done
    expect(clock.waiting).toBe(0)
  })
})

describe('whatever is added and however passes end', () => {
  type Event =
    | { add: string; priority: Priority }
    | { end: number; with: 'again' | 'failure' | undefined }
    | { seconds: number }
  const aKey = fc.constantFrom('a/1', 'a/2', 'a/3', 'b/1', 'b/2', 'c/1')
  const anEvent: fc.Arbitrary<Event> = fc.oneof(
    fc.record({ add: aKey, priority: fc.constantFrom(...priorities) }),
    fc.record({ end: fc.nat(), with: fc.constantFrom('again', 'failure', undefined) }),
    fc.record({ seconds: fc.integer({ min: 0, max: 10 }) }),
  )

  test('limits hold, every ask is followed by a pass, and nothing remains', async () => {
    const someEvents = fc.array(anEvent, { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(someEvents, fc.integer({ min: 1, max: 4 }), async (events, concurrency) => {
        const made = aRun({ concurrency, maxPerGroup: 2 })
        const done = made.run()
        const owed = new Map<string, number>()

        for (const event of events) {
          if ('add' in event) owed.set(event.add, made.started.length)
          await happen(made, event)
          expectLimits(made, concurrency)
        }
        await finish(made)

        for (const [key, at] of owed) expect(made.started.slice(at)).toContain(key)
        expect(made.queue.numbers).toMatchObject({ waiting: 0, later: 0, running: 0, groups: 0 })
        made.stop.abort()
        await done
      }),
    )
  })

  async function happen({ queue, clock, running }: ReturnType<typeof aRun>, event: Event) {
    if ('add' in event) queue.add(event.add, event.priority)
    const ended = 'end' in event ? running.splice(event.end % running.length, 1) : []
    for (const { end, fail } of ended) {
      if ('with' in event && event.with !== 'failure') end(event.with)
      else fail(new Error('failed'))
    }
    await clock.advance('seconds' in event ? event.seconds * 1_000 : 0)
  }

  function expectLimits({ running }: ReturnType<typeof aRun>, concurrency: number) {
    const keys = running.map(({ key }) => key)
    expect(keys.length).toBeLessThanOrEqual(concurrency)
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys.filter((key) => key.startsWith('a/')).length).toBeLessThanOrEqual(2)
  }

  /** Ends every pass well until there is nothing more to do. */
  async function finish({ queue, clock, running }: ReturnType<typeof aRun>) {
    while (running.length > 0 || queue.numbers.later > 0) {
      for (const one of running.splice(0)) one.end()
      await clock.advance(300_000)
    }
  }
})

/** Passes that end at once. */
const quickly =
  (started: string[]): Pass =>
  async (key) => {
    started.push(key)
    return undefined
  }
