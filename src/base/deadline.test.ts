import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { DeadlineExceeded, withDeadline } from './deadline.ts'

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('some library’s own words')))
  })

test('work in time yields its result, and leaves nothing behind', async () => {
  const clock = new FakeClock()
  const { signal } = new AbortController()

  const result = await withDeadline({ clock, deadlineMs: 1_000, signal }, async () => 42)

  expect(result).toBe(42)
  expect(clock.waiting).toBe(0)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('work that takes too long is aborted, and the error says how long that was', async () => {
  const clock = new FakeClock()
  const working = withDeadline({ clock, deadlineMs: 1_500 }, untilAborted)
  const outcome = expect(working).rejects.toThrow(new DeadlineExceeded(1_500))

  await clock.advance(1_500)

  await outcome
})

test('the caller’s own reason is what comes back when the caller aborts', async () => {
  const stop = new AbortController()
  const reason = new Error('shutting down')
  const working = withDeadline(
    { clock: new FakeClock(), deadlineMs: 1_000, signal: stop.signal },
    untilAborted,
  )

  stop.abort(reason)

  await expect(working).rejects.toBe(reason)
})

test('nothing is begun for a caller who has given up already', async () => {
  const signal = AbortSignal.abort(new Error('too late'))
  const never = () => Promise.reject(new Error('was begun'))

  await expect(
    withDeadline({ clock: new FakeClock(), deadlineMs: 1, signal }, never),
  ).rejects.toThrow('too late')
})
