import { expect, test } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { type QueueOptions, WorkQueue } from './queue.ts'

/** A queue for the key `a/1`, and others where it matters, that the test drives by hand. */
function aQueue(options: Partial<QueueOptions> = {}) {
  const clock = new FakeClock()
  const queue = new WorkQueue({ clock, groupOf: (key) => key.charAt(0), ...options })
  const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1_000)
  const wait = (seconds: number) => clock.advance(seconds * 1_000)
  const fail = () => {
    const key = queue.take()
    if (key !== undefined) queue.failed(key)
    return key
  }
  const all = () => {
    const keys: string[] = []
    for (let key = queue.take(); key !== undefined; key = queue.take()) {
      queue.succeeded(key, undefined)
      keys.push(key)
    }
    return keys
  }
  return { queue, inSeconds, wait, fail, all }
}

test('backoff follows the table: 1, 2, 4, 8 … seconds and never more than 300', async () => {
  const { queue, wait, fail } = aQueue()
  queue.add('a/1', 'change')
  expect(fail()).toBe('a/1')

  for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]) {
    await wait(seconds - 0.001)
    expect(fail(), `before ${seconds} s`).toBeUndefined()
    await wait(0.001)
    expect(fail(), `after ${seconds} s`).toBe('a/1')
  }
  expect(queue.numbers).toMatchObject({ retried: 13, later: 1 })
})

test('the backoff of one key is no matter to another', async () => {
  const { queue, wait, fail, all } = aQueue()
  queue.add('a/broken', 'change')
  for (const seconds of [1, 2, 4, 8]) {
    fail()
    await wait(seconds)
  }
  fail()

  queue.add('a/fine', 'change')

  expect(all()).toEqual(['a/fine'])
})

test('backoff begins anew after a success', async () => {
  const { queue, wait, fail } = aQueue()
  queue.add('a/1', 'change')
  fail()
  await wait(1)
  fail()
  await wait(2)
  queue.succeeded(queue.take() ?? '', 'again')
  fail()

  await wait(1)

  expect(fail()).toBe('a/1')
})

test('a user’s edit is tried at once, and begins the table anew', async () => {
  const { queue, wait, fail } = aQueue()
  queue.add('a/1', 'change')
  for (const seconds of [1, 2, 4]) {
    fail()
    await wait(seconds)
  }
  fail()

  queue.add('a/1', 'edit')

  expect(fail()).toBe('a/1')
  await wait(0.999)
  expect(fail()).toBeUndefined()
  await wait(0.001)
  expect(fail()).toBe('a/1')
})

test('an edit during the pass that fails is tried at once', async () => {
  const { queue, wait, fail } = aQueue()
  queue.add('a/1', 'change')
  queue.take()
  queue.add('a/1', 'edit')

  queue.failed('a/1')

  expect(fail()).toBe('a/1')
  await wait(1)
  expect(fail()).toBe('a/1')
})

test('a change never jumps the first steps of the table', async () => {
  const { queue, wait, fail } = aQueue()
  queue.add('a/1', 'change')
  fail()

  queue.add('a/1', 'change')

  expect(fail()).toBeUndefined()
  await wait(1)
  expect(fail()).toBe('a/1')
})

test('a change, which may be the cure, is tried 8 s after the failure and not after 300', async () => {
  const { queue, wait, fail } = await failedOften()
  await wait(3)
  queue.add('a/1', 'change')

  await wait(4.999)
  expect(fail()).toBeUndefined()
  await wait(0.001)
  expect(fail()).toBe('a/1')
})

test('a change during the pass that fails is like one after it', async () => {
  const { queue, wait, fail } = await failedOften()
  await wait(300)
  queue.take()
  queue.add('a/1', 'change')

  queue.failed('a/1')

  await wait(7.999)
  expect(fail()).toBeUndefined()
  await wait(0.001)
  expect(fail()).toBe('a/1')
})

test('a change long after the failure is tried at once', async () => {
  const { queue, wait, fail } = await failedOften()
  await wait(60)

  queue.add('a/1', 'change')

  expect(fail()).toBe('a/1')
})

test('a change does not begin the table anew', async () => {
  const { queue, wait, fail } = await failedOften()
  await wait(60)
  queue.add('a/1', 'change')
  fail()

  await wait(299.999)
  expect(fail()).toBeUndefined()
  await wait(0.001)
  expect(fail()).toBe('a/1')
})

test('a world that never rests, or a pass that is its own cause, makes a try each 8 s at most', async () => {
  const { queue, wait, fail } = await failedOften()
  let tries = 0
  for (let second = 0; second < 80; second++) {
    queue.add('a/1', 'change')
    await wait(1)
    if (queue.take() === undefined) continue
    queue.add('a/1', 'change')
    queue.failed('a/1')
    tries++
  }

  expect(tries).toBe(10)
  expect(fail()).toBeUndefined()
})

test('a resync waits for the retry, and so does a time to wake', async () => {
  const { queue, inSeconds, wait, fail, all } = await failedOften()
  await wait(60)
  queue.add('a/1', 'resync')
  queue.addAt('a/1', inSeconds(1))

  await wait(239.999)
  expect(fail()).toBeUndefined()
  await wait(0.001)
  expect(all()).toEqual(['a/1'])
})

test('a time to wake that was named during the pass that fails gives way to the retry', async () => {
  const { queue, inSeconds, wait, fail, all } = aQueue()
  queue.add('a/1', 'change')
  queue.take()
  queue.addAt('a/1', inSeconds(0.5))
  queue.failed('a/1')

  await wait(0.999)
  expect(fail()).toBeUndefined()
  await wait(0.001)
  expect(all()).toEqual(['a/1'])
})

test('a retry comes as a change: after edits, before resyncs', async () => {
  const { queue, wait, fail, all } = aQueue()
  queue.add('a/retry', 'edit')
  fail()
  queue.add('b/1', 'resync')
  queue.add('c/1', 'edit')

  await wait(1)

  expect(all()).toEqual(['c/1', 'a/retry', 'b/1'])
})

test('jitter shortens each delay by chance, where it is asked for', async () => {
  const backoff = { firstMs: 1_000, mostMs: 300_000, jitter: 0.5 }
  const { queue, wait, fail } = aQueue({ backoff, random: () => 0.5 })
  queue.add('a/1', 'change')
  fail()

  await wait(0.749)
  expect(fail()).toBeUndefined()
  await wait(0.001)
  expect(fail()).toBe('a/1')
})

/** A key whose next retry is 300 s away. */
async function failedOften() {
  const made = aQueue()
  made.queue.add('a/1', 'change')
  for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256]) {
    made.fail()
    await made.wait(seconds)
  }
  made.fail()
  return made
}
