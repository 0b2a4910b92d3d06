import { describe, expect, test } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { sleep, systemClock } from './clock.ts'

describe('sleep', () => {
  test('resolves when the time has passed, and not before', async () => {
    const clock = new FakeClock()
    let isAwake = false
    const sleeping = sleep(clock, 1_000).then(() => {
      isAwake = true
    })

    await clock.advance(999)
    expect(isAwake).toBe(false)
    await clock.advance(1)
    await sleeping
    expect(isAwake).toBe(true)
  })

  test('rejects at once when it is aborted, and leaves no timer behind', async () => {
    const clock = new FakeClock()
    const stop = new AbortController()
    const sleeping = sleep(clock, 1_000, stop.signal)

    stop.abort(new Error('enough'))

    await expect(sleeping).rejects.toThrow('enough')
    expect(clock.waiting).toBe(0)
  })

  test('rejects when it was aborted before it began', async () => {
    const reason = new Error('too late')

    await expect(sleep(new FakeClock(), 1, AbortSignal.abort(reason))).rejects.toBe(reason)
  })
})

describe('the system clock', () => {
  test('calls back, unless cancelled', async () => {
    const called: string[] = []
    systemClock.after(5, () => called.push('cancelled'))()

    await new Promise<void>((resolve) => systemClock.after(10, resolve))

    expect(called).toEqual([])
  })

  test('a delay of years does not fire at once', async () => {
    let isFired = false
    const cancel = systemClock.after(1e15, () => {
      isFired = true
    })

    await new Promise<void>((resolve) => systemClock.after(10, resolve))
    cancel()

    expect(isFired).toBe(false)
  })
})
