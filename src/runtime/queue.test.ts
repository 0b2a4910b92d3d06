import { describe, expect, test } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { type QueueOptions, WorkQueue } from './queue.ts'
import type { Wake } from './queue-run.ts'

/** A queue that the test drives by hand; keys are `group/name`. */
function aQueue(options: Partial<QueueOptions> = {}) {
  const clock = new FakeClock()
  const groupOf = (key: string) => key.slice(0, key.indexOf('/'))
  const queue = new WorkQueue({ clock, groupOf, ...options })
  const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1_000)
  const wait = (seconds: number) => clock.advance(seconds * 1_000)
  const pass = (wake?: Wake) => {
    const key = queue.take()
    if (key !== undefined) queue.succeeded(key, wake)
    return key
  }
  const fail = () => {
    const key = queue.take()
    if (key !== undefined) queue.failed(key)
    return key
  }
  const all = () => {
    const keys: string[] = []
    for (let key = pass(); key !== undefined; key = pass()) keys.push(key)
    return keys
  }
  return { queue, clock, inSeconds, wait, pass, fail, all }
}

const nothing = {
  waiting: 0,
  later: 0,
  running: 0,
  oldestWaitSeconds: 0,
  groups: 0,
}

describe('asking for a pass', () => {
  test('a key that was asked for many times gets one pass', () => {
    const { queue, all } = aQueue()

    for (let i = 0; i < 5; i++) queue.add('a/1', 'change')

    expect(all()).toEqual(['a/1'])
  })

  test('a key that waits keeps the higher of its priorities', () => {
    const { queue, all } = aQueue()
    queue.add('a/lifted', 'resync')
    queue.add('b/1', 'change')

    queue.add('a/lifted', 'edit')
    queue.add('a/lifted', 'resync')

    expect(all()).toEqual(['a/lifted', 'b/1'])
  })

  test('a key that waits for its first look does not go before others because something changes', () => {
    const { queue, all } = aQueue()
    queue.add('a/first', 'resync')
    queue.add('b/first', 'resync')
    queue.add('c/1', 'change')

    queue.add('b/first', 'change')

    expect(all()).toEqual(['c/1', 'a/first', 'b/first'])
  })

  test('first looks leave places to what is more urgent, however long these have waited', () => {
    const { queue } = aQueue({ resyncsAtOnce: 2, oldestEvery: 1 })
    for (const key of ['a/1', 'b/1', 'c/1', 'c/2']) queue.add(key, 'resync')
    queue.add('c/3', 'change')
    queue.take()
    queue.take()

    expect(queue.take()).toBe('c/3')
    expect(queue.take()).toBeUndefined()
    queue.succeeded('c/3', undefined)
    expect(queue.take()).toBeUndefined()
    queue.succeeded('a/1', undefined)
    expect(queue.take()).toBe('c/1')
    expect(queue.take()).toBeUndefined()
    queue.failed('b/1')
    expect(queue.take()).toBe('c/2')
  })

  test('first looks that take long leave their places to others', async () => {
    const { queue, clock } = aQueue({ resyncsAtOnce: 2 })
    for (const key of ['a/1', 'a/2', 'b/1', 'b/2', 'b/3']) queue.add(key, 'resync')
    const first = [queue.take(), queue.take()]
    await clock.advance(1_999)
    expect(queue.take()).toBeUndefined()
    await clock.advance(1)

    const then = [queue.take(), queue.take()]
    expect(queue.take()).toBeUndefined()
    // That they end in the end gives no place a second time.
    for (const key of first) queue.succeeded(key ?? '', undefined)
    expect(queue.take()).toBeUndefined()
    queue.succeeded(then[0] ?? '', undefined)
    expect([...first, ...then, queue.take()].sort()).toEqual(['a/1', 'a/2', 'b/1', 'b/2', 'b/3'])
  })

  test('a key that is asked for during its pass gets one more, after it', () => {
    const { queue, all } = aQueue()
    queue.add('a/1', 'change')
    queue.take()

    queue.add('a/1', 'change')
    queue.add('a/1', 'change')

    expect(queue.take()).toBeUndefined()
    queue.succeeded('a/1', undefined)
    expect(all()).toEqual(['a/1'])
  })

  test('that one more has the priority that was asked for', () => {
    const { queue, all } = aQueue()
    queue.add('a/1', 'edit')
    queue.take()
    queue.add('a/1', 'resync')
    queue.add('b/1', 'change')

    queue.succeeded('a/1', undefined)

    expect(all()).toEqual(['b/1', 'a/1'])
  })

  test('and the highest of those, where there were several', () => {
    const { queue, all } = aQueue()
    queue.add('a/1', 'change')
    queue.take()
    for (const priority of ['resync', 'edit', 'change'] as const) queue.add('a/1', priority)
    queue.add('b/1', 'change')

    queue.succeeded('a/1', undefined)

    expect(all()).toEqual(['a/1', 'b/1'])
  })

  test('the end of a pass that never began changes nothing', () => {
    const { queue, all } = aQueue()
    queue.add('a/1', 'change')

    queue.succeeded('a/1', 'again')
    queue.failed('a/1')
    queue.failed('a/unknown')

    expect(all()).toEqual(['a/1'])
    expect(queue.numbers).toMatchObject({ ...nothing, retried: 0 })
  })
})

describe('what a pass says', () => {
  test('nothing: the key is not looked at until something changes', async () => {
    const { queue, wait, pass } = aQueue()
    queue.add('a/1', 'change')
    pass()

    await wait(1e6)

    expect(queue.take()).toBeUndefined()
  })

  test('a time: the key is looked at then', async () => {
    const { queue, inSeconds, wait, pass } = aQueue()
    queue.add('a/1', 'change')
    pass(inSeconds(10))

    await wait(9.999)
    expect(queue.take()).toBeUndefined()
    await wait(0.001)
    expect(queue.take()).toBe('a/1')
  })

  test('again: what a user began goes on as an edit, a resync that did something as a change', () => {
    const { queue, all } = aQueue()
    queue.add('a/edited', 'edit')
    queue.add('b/resynced', 'resync')
    const keys = [queue.take(), queue.take()]
    queue.add('c/changed', 'change')

    for (const key of keys.reverse()) queue.succeeded(key ?? '', 'again')

    expect(all()).toEqual(['a/edited', 'c/changed', 'b/resynced'])
  })

  test('something that is no date is refused, and the pass has not ended', () => {
    const { queue } = aQueue()
    queue.add('a/1', 'change')
    queue.take()

    expect(() => queue.succeeded('a/1', new Date(Number.NaN))).toThrow(RangeError)
    expect(() => queue.addAt('a/2', new Date('tomorrow'))).toThrow('valid date')
    expect(queue.numbers).toMatchObject({ running: 1, later: 0 })
  })
})

describe('a time to wake', () => {
  test('the earliest of several counts', async () => {
    const { queue, inSeconds, wait, all } = aQueue()
    for (const seconds of [30, 10, 20]) queue.addAt('a/1', inSeconds(seconds))

    await wait(10)

    expect(all()).toEqual(['a/1'])
    await wait(60)
    expect(all()).toEqual([])
  })

  test('one that is past is now', () => {
    const { queue, inSeconds, all } = aQueue()

    queue.addAt('a/1', inSeconds(-10))

    expect(all()).toEqual(['a/1'])
  })

  test('a pass that ran before, whatever for, takes the place of it', async () => {
    const { queue, inSeconds, wait, all } = aQueue()
    queue.addAt('a/1', inSeconds(10))

    queue.add('a/1', 'resync')

    expect(all()).toEqual(['a/1'])
    await wait(60)
    expect(all()).toEqual([])
  })

  test('said during a pass it counts along with what the pass says', async () => {
    const { queue, inSeconds, wait, all } = aQueue()
    for (const key of ['a/sooner', 'b/later']) queue.add(key, 'change')
    queue.take()
    queue.take()
    queue.addAt('a/sooner', inSeconds(5))
    queue.addAt('b/later', inSeconds(50))

    for (const key of ['a/sooner', 'b/later']) queue.succeeded(key, inSeconds(10))

    await wait(5)
    expect(all()).toEqual(['a/sooner'])
    await wait(5)
    expect(all()).toEqual(['b/later'])
  })

  test('one that comes during a pass gets another pass', async () => {
    const { queue, inSeconds, wait, all } = aQueue()
    queue.add('a/1', 'change')
    queue.take()
    queue.addAt('a/1', inSeconds(5))
    await wait(6)
    expect(queue.take()).toBeUndefined()

    queue.succeeded('a/1', undefined)

    expect(all()).toEqual(['a/1'])
  })

  test('one that comes while the key waits in a long resync makes it a change', async () => {
    const { queue, inSeconds, wait, pass } = aQueue()
    for (let i = 0; i < 5; i++) queue.add(`a/${i}`, 'resync')
    queue.addAt('a/urgent', inSeconds(2))
    queue.add('a/urgent', 'resync')

    await wait(2)

    expect(pass()).toBe('a/urgent')
  })
})

describe('forgetting', () => {
  test('drops a key that waits, that is due later, and that backs off', async () => {
    const { queue, inSeconds, wait, fail } = aQueue()
    queue.add('a/failed', 'change')
    fail()
    queue.add('b/waits', 'change')
    queue.addAt('c/later', inSeconds(10))

    for (const key of ['a/failed', 'b/waits', 'c/later', 'd/unknown']) queue.forget(key)

    expect(queue.numbers).toMatchObject(nothing)
    await wait(1_000)
    expect(queue.take()).toBeUndefined()
  })

  test('during a pass: what the pass says of the object that is gone is ignored', async () => {
    const { queue, inSeconds, wait } = aQueue()
    const outcomes = [
      (key: string) => queue.failed(key),
      (key: string) => queue.succeeded(key, 'again'),
      (key: string) => queue.succeeded(key, inSeconds(1)),
    ]

    for (const end of outcomes) {
      queue.add('a/1', 'change')
      queue.take()
      queue.add('a/1', 'change')
      queue.forget('a/1')
      end('a/1')
    }

    await wait(1_000)
    expect(queue.take()).toBeUndefined()
    expect(queue.numbers).toMatchObject({ ...nothing, retried: 0 })
  })

  test('during a pass: a new object of that name waits for its end, and has no past', async () => {
    const { queue, wait, fail } = aQueue()
    queue.add('a/1', 'change')
    fail()
    await wait(1)
    queue.take()
    queue.forget('a/1')
    queue.add('a/1', 'resync')
    expect(queue.take()).toBeUndefined()

    queue.failed('a/1')

    expect(fail()).toBe('a/1')
    await wait(1)
    expect(fail()).toBe('a/1')
  })

  test('nothing is left of 10,000 keys that came and went', async () => {
    const { queue, inSeconds, wait, fail, all } = aQueue({ maxPerGroup: 1 })
    for (let i = 0; i < 10_000; i++) {
      const key = `${i % 1_000}/${i}`
      queue.add(key, 'change')
      if (i % 4 === 1) fail()
      if (i % 4 === 2) queue.addAt(key, inSeconds(i))
      if (i % 4 === 3) queue.forget(key)
    }

    all()
    await wait(10)
    all()

    expect(queue.numbers).toMatchObject(nothing)
    expect(queue.quietMs).toBe(Infinity)
  })
})

test('the numbers tell who waits, for how long, what runs, and what was asked for', async () => {
  const { queue, inSeconds, wait, fail } = aQueue()
  queue.add('a/broken', 'edit')
  fail()
  queue.add('a/1', 'edit')
  queue.add('a/2', 'resync')
  queue.add('b/1', 'resync')
  queue.add('b/1', 'change')
  queue.addAt('c/1', inSeconds(60))
  queue.take()

  await wait(0.5)

  expect(queue.numbers).toEqual({
    waiting: 2,
    later: 2,
    running: 1,
    oldestWaitSeconds: 0.5,
    groups: 2,
    added: 5,
    retried: 1,
  })
  await wait(60)
  expect(queue.numbers).toMatchObject({ waiting: 4, later: 0, oldestWaitSeconds: 60.5, groups: 3 })
})

describe('changes that come together', () => {
  const gathering = () => aQueue({ gatherMs: 2_000 })

  test('get one pass, so long after the first of them', async () => {
    const { queue, wait, all } = gathering()
    queue.add('a/1', 'change')
    await wait(1)
    queue.add('a/1', 'change')
    expect(all()).toEqual([])

    await wait(1)

    expect(all()).toEqual(['a/1'])
    await wait(10)
    expect(all()).toEqual([])
  })

  test('do not keep an edit waiting', () => {
    const { queue, all } = gathering()
    queue.add('a/1', 'change')

    queue.add('a/1', 'edit')

    expect(all()).toEqual(['a/1'])
  })

  test('get one pass after the one that they came in', async () => {
    const { queue, wait, all } = gathering()
    queue.add('a/1', 'edit')
    queue.take()
    queue.add('a/1', 'change')
    queue.add('a/1', 'change')

    queue.succeeded('a/1', undefined)

    expect(all()).toEqual([])
    await wait(2)
    expect(all()).toEqual(['a/1'])
  })

  test('do not keep a pass waiting that goes on with its work', () => {
    const { queue, all } = gathering()
    queue.add('a/1', 'edit')
    queue.take()
    queue.add('a/1', 'change')

    queue.succeeded('a/1', 'again')

    expect(all()).toEqual(['a/1'])
  })

  test('are not lost when the pass that they came in fails', async () => {
    const { queue, wait, all } = gathering()
    queue.add('a/1', 'edit')
    queue.take()
    queue.add('a/1', 'change')

    queue.failed('a/1')

    await wait(1)
    expect(all()).toEqual(['a/1'])
  })
})
